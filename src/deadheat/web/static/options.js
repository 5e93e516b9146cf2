// The options that differ from their defaults, as the library names them.

import { byId, plain } from "./elements.js";

const form = byId("form");
const fields = () => [...form.querySelectorAll("[data-kind][name]")];

function defaultOf(field) {
  if (field.type === "checkbox") return field.dataset.default === "on";
  return field.dataset.default ?? "";
}

function valueOf(field) {
  return field.type === "checkbox" ? field.checked : field.value.trim();
}

/** {name: value} of every option that was changed. Numbers are sent as they were typed. */
export function chosen() {
  const options = {};
  for (const field of fields()) {
    const value = valueOf(field);
    field.closest(".field")?.classList.toggle("changed", value !== defaultOf(field));
    if (value !== defaultOf(field) && value !== "") options[field.name] = value;
  }
  return options;
}

const COLUMNS = ["item", "system_column", "systems", "score", "output_column", "cluster", "stratum", "run", "label_map"];

/** The options that say what the columns are. */
export function columns() {
  return Object.fromEntries(Object.entries(chosen()).filter(([name]) => COLUMNS.includes(name)));
}

/** Put options into their fields; all others go back to their defaults. */
export function fill(options = {}) {
  for (const field of fields()) {
    const value = options[field.name] ?? defaultOf(field);
    if (field.type === "checkbox") field.checked = Boolean(value);
    else if (field.dataset.systems !== undefined) offer(field, field.known ?? [], value);
    else field.value = Array.isArray(value) ? value.join(", ") : String(value);
  }
}

function offer(select, systems, value) {
  select.known = systems;
  const first = select.options[0];
  const names = value && !systems.includes(value) ? [...systems, value] : systems;
  select.replaceChildren(first, ...names.map((name) => new Option(plain(name), name)));
  select.value = value || "";
}

/** Name the systems of the input in the pickers of sides; a side that is gone is let go. */
export function offerSystems(systems) {
  for (const select of form.querySelectorAll("[data-systems]")) {
    offer(select, systems, systems.includes(select.value) ? select.value : "");
  }
}

/** Offer the columns of the input where one is asked for. */
export function offerColumns(names) {
  byId("columns").replaceChildren(...names.map((name) => new Option(plain(name), name)));
}

/** The metric that was picked; null for the library's own choice. */
export function metric() {
  const select = byId("metric");
  if (!select || select.value === "") return null;
  return select.value === "other" ? byId("metric-name").value.trim() || null : select.value;
}

/** Pick a metric by its name. */
export function pickMetric(name) {
  const select = byId("metric");
  if (!select) return;
  const known = [...select.options].some((option) => option.value === name);
  select.value = name && !known ? "other" : name || "";
  byId("metric-name").value = name && !known ? name : "";
  byId("metric-name").hidden = select.value !== "other";
}

/** Put the metrics that apply to the input first. */
export function offerMetrics(names) {
  const select = byId("metric");
  if (!select) return;
  const value = select.value;
  const all = select.dataset.metrics.split(" ");
  const rest = all.filter((name) => !names.includes(name));
  const group = (label, members) => {
    const element = document.createElement("optgroup");
    element.label = label;
    element.append(...members.map((name) => new Option(name, name)));
    return element;
  };
  select.querySelectorAll("optgroup").forEach((element) => element.remove());
  const groups = names.length ? [group("Fit these data", names), group("Others", rest)] : [group("All", all)];
  select.options[0].after(...groups);
  select.value = value;
}

/** The field that a message speaks of: the only one whose option it names, or whose value. */
export function fieldNamed(message) {
  const named = fields().filter((field) => {
    const spelled = field.name.replaceAll("_", "-");
    return new RegExp(`--${spelled}(?![\\w-])|\\boption ${field.name}\\b`).test(message);
  });
  if (named.length) return named.length === 1 ? named[0] : null;
  const quotes = (value) => value !== "" && (message.includes(`'${value}'`) || message.includes(` is ${value}.`));
  const quoted = fields().filter((field) => valueOf(field) !== defaultOf(field) && quotes(String(valueOf(field))));
  if (metric() !== null && quotes(metric())) quoted.push(byId("metric"));
  return quoted.length === 1 ? quoted[0] : null;
}
