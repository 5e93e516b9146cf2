// Where data come from: a pasted table, files, or counts.

import { byId, make, plain } from "./elements.js";
import { dropped, isRead } from "./folders.js";

const panes = ["paste", "files", "counts"].filter((name) => byId(`tab-${name}`));
let files = [];
let changed = () => {};

export const current = () => panes.find((name) => !byId(`pane-${name}`).hidden);

/** Show one pane; its tab takes the place of the others in the order of keys. */
export function show(name, focus = false) {
  for (const other of panes) {
    const on = other === name;
    const tab = byId(`tab-${other}`);
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    byId(`pane-${other}`).hidden = !on;
    if (on && focus) tab.focus();
  }
}

function keys(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = panes.indexOf(current());
  const next = event.key === "Home" ? 0 : event.key === "End" ? panes.length - 1 : step ? (at + step + panes.length) % panes.length : -1;
  if (next < 0) return;
  event.preventDefault();
  show(panes[next], true);
  changed();
}

const stem = (name) => name.split("/").pop().replace(/\.[^.]*$/, "");

/** Add files; one of the same path takes the place of the older. */
export function add(found) {
  for (const { path, file } of found) {
    const at = files.findIndex((entry) => entry.path === path);
    const entry = { path, file, name: "", references: /^(references?|gold|labels)\b/i.test(stem(path)) };
    if (at >= 0) files[at] = entry;
    else files.push(entry);
  }
  if (files.filter((entry) => entry.references).length > 1 || files.length < 2) {
    files.forEach((entry) => { entry.references = false; });
  }
  list();
  changed();
}

const size = (bytes) => (bytes < 1e3 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function row(entry, at) {
  const role = make("select", { "aria-label": `What ${entry.path} holds`, onchange: () => {
    files.forEach((other) => { if (other !== entry && role.value) other.references = false; });
    entry.references = role.value !== "";
    list();
    refocus(at, "select");
    changed();
  } }, new Option("systems", ""), new Option("right answers", "references"));
  role.value = entry.references ? "references" : "";
  const name = make("input", { type: "text", placeholder: stem(entry.path), "aria-label": `Name of the system in ${entry.path}`, autocomplete: "off", spellcheck: "false" });
  name.value = entry.name;
  name.disabled = entry.references;
  name.addEventListener("input", () => { entry.name = name.value.trim(); changed(); });
  const move = (label, to) => make("button", { type: "button", class: `quiet small ${to < at ? "up" : "down"}`, "aria-label": `${label} ${entry.path}`, disabled: to < 0 || to >= files.length, onclick: () => {
    files.splice(to, 0, ...files.splice(at, 1));
    list();
    refocus(to, ...(to < at ? [".up", ".down"] : [".down", ".up"]));
    changed();
  } }, to < at ? "↑" : "↓");
  const remove = make("button", { type: "button", class: "quiet small remove", "aria-label": `Remove ${entry.path}`, onclick: () => {
    files.splice(at, 1);
    list();
    refocus(at, ".remove");
    changed();
  } }, "×");
  return make("li", {},
    make("span", { class: "path", title: plain(entry.path) }, plain(entry.path)),
    make("span", { class: "acts" }, move("Move up", at - 1), move("Move down", at + 1), remove),
    make("span", { class: "size" }, size(entry.file.size)),
    make("span", { class: "holds" }, role, name));
}

function list() {
  byId("file-list").replaceChildren(...files.map(row));
}

/** Give the focus back after the list was made again: to the first part of a row that can take it. */
function refocus(at, ...parts) {
  const row = byId("file-list").children[Math.min(at, files.length - 1)];
  const found = parts.map((part) => row?.querySelector(part)).find((part) => part && !part.disabled);
  (found ?? byId("files")).focus();
}

/** Put the input into a form for the server, and say by options what the form cannot. */
export function write(form, options) {
  const pane = current();
  if (pane === "paste") {
    form.append("text", byId("text").value);
    const reference = byId("reference").value;
    if (reference) options.reference_column = reference === "named" ? byId("reference-name").value.trim() : reference;
  } else if (pane === "files") {
    for (const { path, file } of files) form.append("file", file, path);
    const reference = files.find((entry) => entry.references);
    if (reference) options.references = reference.path;
    if (files.some((entry) => entry.name)) form.append("names", JSON.stringify(files.map((entry) => entry.name || null)));
  } else if (pane === "counts") {
    form.append("counts", JSON.stringify(counts()));
  }
}

function counts() {
  const read = (input) => (input.value.trim() === "" ? 0 : Number(input.value.replaceAll(",", "")));
  return Object.fromEntries([...document.querySelectorAll("[data-count]")].map((input) => [input.dataset.count, read(input)]));
}

function sum() {
  const values = Object.values(counts());
  const total = values.reduce((left, right) => left + right, 0);
  byId("count-sum").textContent = values.every(Number.isInteger) && total > 0 ? `${total.toLocaleString("en")} items in all.` : "Whole numbers, please.";
}

/** What is missing before anything can be asked; empty when nothing is. */
export function missing() {
  const pane = current();
  if (pane === "paste" && !byId("text").value.trim()) return "Paste a table to begin.";
  if (pane === "files" && !files.length) return "Drop or choose files to begin.";
  if (pane === "counts" && ![...document.querySelectorAll("[data-count]")].some((input) => input.value.trim())) return "Type the four counts to begin.";
  return "";
}

/** Bytes that would be sent again with every change. */
export const weight = () => (current() === "files" ? files.reduce((total, entry) => total + entry.file.size, 0) : byId("text").value.length);

/** Show an example, whatever it is made of. */
export function fill(example) {
  files = (example.files ?? []).map(({ name, text }) => ({ path: name, file: new File([text], name), name: "", references: example.options?.references === name }));
  list();
  byId("text").value = example.text ?? "";
  const reference = example.options?.reference_column ?? "";
  byId("reference").value = ["", "first", "last"].includes(reference) ? reference : "named";
  byId("reference-name").value = byId("reference").value === "named" ? reference : "";
  byId("reference-name").hidden = byId("reference").value !== "named";
  for (const input of document.querySelectorAll("[data-count]")) input.value = example.counts?.[input.dataset.count] ?? "";
  if (example.counts && panes.includes("counts")) sum();
  show(example.text ? "paste" : example.counts && panes.includes("counts") ? "counts" : files.length ? "files" : "paste");
}

/** Listen; `notify` is called after every change of the input, with whether it is a whole one. */
export function listen(notify) {
  changed = notify;
  for (const name of panes) {
    byId(`tab-${name}`).addEventListener("click", () => { show(name); changed(); });
    byId(`tab-${name}`).addEventListener("keydown", keys);
  }
  byId("text").addEventListener("input", ({ inputType }) => changed(inputType === "insertFromPaste"));
  byId("reference").addEventListener("change", () => {
    byId("reference-name").hidden = byId("reference").value !== "named";
    changed();
  });
  byId("reference-name").addEventListener("input", () => changed());
  for (const input of document.querySelectorAll("[data-count]")) input.addEventListener("input", () => { sum(); changed(); });
  for (const id of ["files", "folder"]) {
    byId(id).addEventListener("change", (event) => {
      add([...event.target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })).filter(({ path }) => isRead(path)));
      event.target.value = "";
    });
  }
  drops();
}

function drops() {
  const drop = byId("drop");
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    show("files");
    drop.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  addEventListener("drop", async (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    drop.classList.remove("over");
    show("files");
    add(await dropped(event.dataTransfer));
  });
}
