"use strict";
// Shows what marks of figures say (see deadheat/report/svg/hover.py). It listens on the document,
// so that figures which come later are served as well.
(() => {
  const tip = document.createElement("div");
  tip.className = "dh-tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true"); // marks are named by aria-label
  const packs = new WeakMap();

  const hide = () => { tip.hidden = true; };
  const show = (text, x, y) => {
    if (!tip.isConnected) document.body.append(tip);
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    const below = y + 18 + height < innerHeight;
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`;
    tip.style.top = `${below ? y + 18 : Math.max(4, y - height - 12)}px`;
  };

  const unpacked = (group) => {
    if (packs.has(group)) return packs.get(group);
    const { at, text, template, names } = group.dataset;
    const words = at.split(" ");
    const grid = words[0] === "grid";
    const numbers = words.slice(grid ? 1 : 0).map(Number);
    const texts = text.split("\n");
    const labels = names === undefined ? [] : names.split("\n");
    const [left, top, wide, high] = numbers;
    const areas = texts.map((said, k) => {
      if (!grid) return { box: numbers.slice(4 * k, 4 * k + 4), said };
      const [row, column] = numbers.slice(4 + 2 * k, 6 + 2 * k);
      const parts = { "{y}": labels[row], "{x}": labels[column], "{value}": said };
      return {
        box: [left + column * wide, top + row * high, wide, high],
        said: template.replace(/\{(?:y|x|value)\}/g, (part) => parts[part]),
      };
    });
    packs.set(group, areas);
    return areas;
  };

  const packedAt = (figure, x, y) => {
    const place = new DOMPoint(x, y).matrixTransform(figure.getScreenCTM().inverse());
    const inside = ({ box: [left, top, wide, high] }) =>
      left <= place.x && place.x < left + wide && top <= place.y && place.y < top + high;
    for (const group of [...figure.querySelectorAll(".dh-pack")].reverse()) {
      const found = unpacked(group).find(inside);
      if (found) return found.said;
    }
    return null;
  };

  document.addEventListener("pointermove", (event) => {
    const figure = event.target.closest?.("svg.dh-figure");
    if (!figure) return hide();
    const mark = event.target.closest(".dh-hit");
    const said = mark ? mark.getAttribute("aria-label") : packedAt(figure, event.clientX, event.clientY);
    return said ? show(said, event.clientX, event.clientY) : hide();
  });
  document.addEventListener("focusin", (event) => {
    const mark = event.target.closest?.(".dh-hit");
    if (!mark) return hide();
    const box = mark.getBoundingClientRect();
    return show(mark.getAttribute("aria-label"), (box.left + box.right) / 2, box.bottom - 12);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
