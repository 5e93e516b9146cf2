// The page: input and options go to the server, its answer is shown; again after every change.

import { Refusal, cancel, forget, submit, watch } from "./api.js";
import { byId, make, settled } from "./elements.js";
import * as flips from "./flips.js";
import * as inputs from "./inputs.js";
import * as options from "./options.js";
import { lines, named } from "./pvalues.js";
import { parts, showResult } from "./result.js";

const { page, example } = JSON.parse(byId("context").textContent);
const takesData = Boolean(byId("pane-paste"));
const AGAIN = 450;
const HEAVY = 2e7;

let turn = 0;
let job = null;
let sending = null;
let shownJob = null;
let unseen = true;

/** What is asked: a form, or a sentence that says what is missing. */
function question() {
  const form = new FormData();
  const asked = options.chosen();
  if (takesData) {
    const lacking = inputs.missing();
    if (lacking) return lacking;
    const metric = options.metric();
    if (metric) asked.metric = metric;
    inputs.write(form, asked);
  } else if (page === "adjust") {
    const { values, labels } = lines(byId("p-values").value);
    if (!values.length) return "Write at least one p-value to begin.";
    if (labels) {
      form.append("file", named(labels, values), "p_values.csv");
      Object.assign(asked, { file: "p_values.csv", column: "p_value", label_column: "comparison" });
    } else asked.p_values = values;
  }
  form.append("options", JSON.stringify(asked));
  return form;
}

async function run() {
  const mine = ++turn;
  stop();
  clear();
  const form = question();
  if (typeof form === "string") {
    busy(false);
    say(form);
    old(true);
    return;
  }
  old(true);
  busy(true);
  sending = new AbortController();
  try {
    const id = await submit(page, form, sending.signal);
    if (mine !== turn) {
      forget(id);
      return;
    }
    job = id;
    // What is heard of work that was stopped in the meantime is not shown.
    const result = await watch(id, (heard) => mine === turn && progressed(heard), sending.signal);
    if (mine !== turn) return;
    job = null;
    if (result === null) {
      say("Cancelled. What is shown is from before.");
      return;
    }
    showResult(result, page === "adjust" ? form.get("file") : null);
    old(false);
    if (shownJob) forget(shownJob);
    shownJob = id;
    say(result.warnings?.length ? `Done, with ${result.warnings.length} ${result.warnings.length > 1 ? "warnings" : "warning"}.` : "Done.");
    await flips.showFlips(result);
    parts();
  } catch (error) {
    if (mine !== turn || error.name === "AbortError") return;
    job = null;
    refuse(error instanceof Refusal ? error : new Refusal(`The page could not show the answer: ${error.message}`));
  } finally {
    if (mine === turn) {
      busy(false);
      look();
    }
  }
}

/** Ask what the input holds, for the pickers of systems and metrics; once for every input. */
async function look() {
  if (!takesData || !unseen || inputs.missing() || inputs.weight() > HEAVY) return;
  unseen = false;
  const asked = options.columns();
  const form = new FormData();
  inputs.write(form, asked);
  form.append("options", JSON.stringify(asked));
  try {
    const id = await submit("inspect", form);
    const found = await watch(id, () => {});
    forget(id);
    if (!found || unseen) return;
    options.offerSystems(found.systems);
    options.offerColumns(found.columns);
    options.offerMetrics(found.metrics);
  } catch {
    // The command itself has said what is wrong with the input.
  }
}

/** End what is under way; its answer is not waited for. */
function stop() {
  sending?.abort();
  if (job) cancel(job).catch(() => {}).then(forget.bind(null, job));
  job = null;
}

function progressed({ state, done, total, what }) {
  const bar = byId("progress");
  if (state === "queued") {
    say("Waiting for other work to end…");
    return;
  }
  if (total > 0) {
    bar.max = total;
    bar.value = done;
    say(`${what || "Working"}: ${Math.floor((100 * done) / total)}%`);
  } else {
    bar.removeAttribute("value");
    say("Working…");
  }
}

function busy(on) {
  byId("result").setAttribute("aria-busy", String(on));
  byId("cancel").hidden = !on;
  byId("progress").hidden = !on;
  if (on) {
    byId("progress").removeAttribute("value");
    say("Working…");
  }
}

/** Let what is shown step back while it is no answer to what is asked. */
function old(on) {
  byId("result").classList.toggle("old", on);
  byId("extras").classList.toggle("old", on);
}

function say(text) {
  byId("state").textContent = text;
}

function clear() {
  byId("problem").hidden = true;
  document.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
  document.querySelectorAll(".beside").forEach((message) => message.remove());
}

/** The library's words: beside the field they name, else above the button. */
function refuse({ message, fix }) {
  say(byId("extras").hidden ? "Not answered: see the message." : "Not answered: see the message. What is shown is from before.");
  const problem = byId("problem");
  problem.replaceChildren(make("p", {}, make("strong", {}, message)), ...(fix ? [make("p", {}, fix)] : []));
  problem.hidden = false;
  const field = options.fieldNamed(message);
  if (!field) return;
  field.setAttribute("aria-invalid", "true");
  const folded = field.closest("details");
  if (folded) folded.open = true;
  field.closest(".field").append(make("p", { class: "beside" }, message));
}

/** Put the example into the form. */
function exemplify() {
  const given = { ...(example.options ?? {}) };
  options.pickMetric(given.metric ?? "");
  if (takesData) inputs.fill(example);
  unseen = true;
  if (page === "adjust") {
    const values = given.p_values ?? [];
    byId("p-values").value = values.map((value, at) => `${example.labels ? `${example.labels[at]}  ` : ""}${value}`).join("\n");
  }
  options.fill(given);
  shown(true);
  run();
}

/** Make room for data of one's own. */
function empty() {
  options.pickMetric("");
  if (takesData) inputs.fill({});
  if (page === "adjust") byId("p-values").value = "";
  options.fill();
  shown(false);
  run();
  (byId("text") ?? byId("p-values") ?? document.querySelector(".panel input")).focus();
}

const again = settled(run, AGAIN);

/** Say whether what is in the form is still the example. */
function shown(isExample) {
  byId("example-said").hidden = !isExample;
  byId("clear").hidden = !isExample;
  byId("example").hidden = isExample;
}

/** Answer again: at once where nothing more will follow, such as after a paste. */
function changed(whole = false) {
  if (!takesData) shown(false);
  if (takesData && inputs.weight() > HEAVY) {
    say("These files are large: press the button when you are ready.");
    return;
  }
  if (whole) run();
  else again();
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
byId("form").addEventListener("input", (event) => {
  if (event.target.matches("[data-kind][name], #metric-name, #p-values")) changed();
});
byId("metric")?.addEventListener("change", () => {
  byId("metric-name").hidden = byId("metric").value !== "other";
  changed();
});
byId("cancel").addEventListener("click", async () => {
  if (!job) {
    turn += 1;
    stop();
    busy(false);
    say("Cancelled. What is shown is from before.");
    return;
  }
  await cancel(job).catch(() => {});
});
byId("example").addEventListener("click", exemplify);
byId("clear").addEventListener("click", empty);
document.querySelector("[data-reset]")?.addEventListener("click", () => {
  options.fill();
  changed();
});
if (takesData) {
  inputs.listen((whole = false) => {
    shown(false);
    unseen = true;
    changed(whole);
  });
}
flips.listen();
exemplify();
