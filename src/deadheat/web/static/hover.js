// The numbers of a figure, where the pointer, the finger or the focus is.
//
// A drawing has areas with a label of their own (.dh-hit); of many marks it has the places and
// texts as attributes of one element (.dh-pack).

import { make } from "./elements.js";

const tip = make("div", { class: "tip", id: "tip", "aria-hidden": "true", hidden: true });
const packs = new WeakMap();

/** [{x, y, wide, high, text}] of a pack. */
function areas(pack) {
  if (packs.has(pack)) return packs.get(pack);
  const texts = pack.dataset.text.split("\n");
  const [first, ...rest] = pack.dataset.at.split(" ");
  const numbers = (first === "grid" ? rest : [first, ...rest]).map(Number);
  const found = first === "grid" ? cells(numbers, texts, pack.dataset) : texts.map((text, at) => {
    const [x, y, wide, high] = numbers.slice(4 * at, 4 * at + 4);
    return { x, y, wide, high, text };
  });
  packs.set(pack, found);
  return found;
}

function cells([left, top, wide, high, ...places], texts, { template, names }) {
  const named = names.split("\n");
  return texts.map((value, at) => {
    const [row, column] = places.slice(2 * at, 2 * at + 2);
    const parts = { "{y}": named[row], "{x}": named[column], "{value}": value };
    const text = template.replace(/\{(?:y|x|value)\}/g, (part) => parts[part]);
    return { x: left + column * wide, y: top + row * high, wide, high, text };
  });
}

/** What is said at a point of the screen. */
function said(target, x, y) {
  const hit = target.closest?.(".dh-hit");
  if (hit) return hit.getAttribute("aria-label") ?? "";
  const drawing = target.closest?.("svg");
  const matrix = drawing?.querySelector(".dh-pack") && drawing.getScreenCTM();
  if (!matrix) return "";
  const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  for (const pack of drawing.querySelectorAll(".dh-pack")) {
    const area = areas(pack).find((a) => at.x >= a.x && at.x <= a.x + a.wide && at.y >= a.y && at.y <= a.y + a.high);
    if (area) return area.text;
  }
  return "";
}

function show(text, x, y) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y - box.height - 12 < 8 ? y + 18 : y - box.height - 12}px`;
}

/** Let the figures in a place speak. */
export function listen(root) {
  document.body.append(tip);
  for (const kind of ["pointermove", "pointerdown"]) {
    root.addEventListener(kind, (event) => show(said(event.target, event.clientX, event.clientY), event.clientX, event.clientY));
  }
  root.addEventListener("focusin", ({ target }) => {
    const box = target.getBoundingClientRect();
    if (target.matches(".dh-hit")) show(said(target), box.left + box.width / 2, box.top);
  });
  root.addEventListener("focusout", () => show(""));
  root.addEventListener("pointerleave", () => show(""));
  addEventListener("scroll", () => show(""), { passive: true });
  addEventListener("keydown", ({ key }) => key === "Escape" && show(""));
}
