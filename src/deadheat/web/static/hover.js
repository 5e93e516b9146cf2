// The numbers of a figure where the pointer, the finger or the focus is.

import { make } from "./elements.js";

let tip = null;

function place(x, y) {
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y - box.height - 12 < 8 ? y + 16 : y - box.height - 12}px`;
}

function texts(target) {
  const mark = target.closest?.("[data-hover]");
  return mark ? mark.dataset.hover : "";
}

function show(event) {
  const said = texts(event.target);
  if (!said) {
    tip.hidden = true;
    return;
  }
  tip.textContent = said;
  tip.hidden = false;
  if (event.clientX !== undefined) place(event.clientX, event.clientY);
  else {
    const box = event.target.getBoundingClientRect();
    place(box.left + box.width / 2, box.top);
  }
}

/** Let the figures in a place speak. */
export function hover(root) {
  if (tip) return;
  tip = make("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
  document.body.append(tip);
  for (const kind of ["pointermove", "pointerdown", "focusin"]) root.addEventListener(kind, show);
  for (const kind of ["pointerleave", "focusout"]) root.addEventListener(kind, () => { tip.hidden = true; });
  addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
}
