// The items on which the two systems changed places: filtered and searched here.

import { byId, make, plain } from "./elements.js";
import { text } from "./api.js";

const SHOWN = 200;
const PLAIN = /[^,\r\n]*/y;
let columns = [];
let rows = [];
let kind = "";
const SAID_BY_KIND = new Set(["1", "-1"]);

/** Cells of a CSV text, quoted ones with all they hold. */
export function cells(source) {
  const table = [];
  let row = [];
  let at = 0;
  while (at < source.length) {
    let cell = "";
    if (source[at] === '"') {
      for (;;) {
        const end = source.indexOf('"', at + 1);
        cell += source.slice(at + 1, end < 0 ? source.length : end);
        at = end < 0 ? source.length : end + 1;
        if (source[at] !== '"') break;
        cell += '"';
      }
    } else {
      PLAIN.lastIndex = at;
      [cell] = PLAIN.exec(source);
      at += cell.length;
    }
    row.push(cell);
    if (source[at] === ",") {
      at += 1;
      if (at === source.length) row.push("");
      continue;
    }
    table.push(row);
    row = [];
    if (source[at] === "\r") at += 1;
    if (source[at] === "\n") at += 1;
  }
  return table;
}

const isNumber = (column) => column === "difference" || column.endsWith("_score");

/** Show the flips of a result, or hide their place where it has none. */
export async function showFlips(result) {
  const place = byId("flips");
  if (!place) return;
  const file = result.downloads.find(({ name }) => name === "flips.csv");
  place.hidden = true;
  if (!file) return;
  const [head = [], ...body] = cells(await text(file.href));
  // What changed comes first: it is what is looked for; a difference of one item is what the kind says.
  const differences = head.indexOf("difference");
  const told = body.every((row) => SAID_BY_KIND.has(String(Number(row[differences]))));
  const order = head.map((_, at) => at).filter((at) => head[at] !== "kind" && !(told && at === differences));
  order.unshift(head.indexOf("kind"));
  columns = order.map((at) => head[at]);
  rows = body.map((row) => order.map((at) => (isNumber(head[at]) && row[at] ? String(Number(Number(row[at]).toPrecision(6))) : row[at])));
  const kinds = columns.indexOf("kind");
  for (const button of place.querySelectorAll("[data-kind]")) {
    const of = button.dataset.kind;
    const count = rows.filter((row) => !of || row[kinds] === of).length;
    button.textContent = `${of ? of[0].toUpperCase() + of.slice(1) : "All"} ${count.toLocaleString("en")}`;
  }
  place.hidden = !rows.length;
  draw();
}

function draw() {
  const wanted = byId("flips-search").value.trim().toLowerCase();
  const kinds = columns.indexOf("kind");
  const found = rows.filter((row) => (!kind || row[kinds] === kind) && (!wanted || row.some((cell) => cell.toLowerCase().includes(wanted))));
  const head = make("tr", {}, ...columns.map((name) => make("th", { scope: "col", class: isNumber(name) ? "number" : "" }, name.replaceAll("_", " "))));
  const body = found.slice(0, SHOWN).map((row) => make("tr", { class: row[kinds] ?? "" }, ...row.map((cell, at) => make("td", { class: isNumber(columns[at]) ? "number" : "" }, plain(cell.length > 300 ? `${cell.slice(0, 300)}…` : cell)))));
  byId("flips-table").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
  byId("flips-count").textContent = found.length > SHOWN ? `The first ${SHOWN} of ${found.length.toLocaleString("en")}; all are in flips.csv.` : `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} items.`;
}

export function listen() {
  const place = byId("flips");
  if (!place) return;
  byId("flips-search").addEventListener("input", draw);
  for (const button of place.querySelectorAll("[data-kind]")) {
    button.addEventListener("click", () => {
      kind = button.dataset.kind;
      place.querySelectorAll("[data-kind]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      draw();
    });
  }
}
