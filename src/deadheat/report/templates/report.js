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
    const { at, text } = group.dataset;
    const words = at.split(" ");
    const areas = words[0] === "grid"
      ? cells(words.slice(1).map(Number), gapsOf(group))
      : text.split("\n").map((said, k) => ({ box: words.slice(4 * k, 4 * k + 4).map(Number), said }));
    packs.set(group, areas);
    return areas;
  };

  // A group of cells without names has those of the group before it.
  const gapsOf = (group) => {
    while (group.dataset.names === undefined) group = group.previousElementSibling;
    const { names, numbers, decimals, unit } = group.dataset;
    return { names: names.split("\n"), numbers: numbers.split(" ").map(Number), decimals, unit };
  };

  const cells = ([left, top, wide, high, ...runs], { names, numbers, decimals, unit }) => {
    const areas = [];
    for (let k = 0; k < runs.length; k += 3) {
      const [row, first, n] = runs.slice(k, k + 3);
      for (let column = first; column < first + n; column += 1) {
        const gap = numbers[row] - numbers[column];
        const said = `${names[row]} - ${names[column]}: ${gap < 0 ? "" : "+"}${gap.toFixed(decimals)}${unit}`;
        areas.push({ box: [left + column * wide, top + row * high, wide, high], said });
      }
    }
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
