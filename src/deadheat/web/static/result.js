// What the server found: the report, what can be downloaded, what can be copied.

import { byId, make } from "./elements.js";

let own = null;

/** Show a result in the place of the one before; `made` is a file of this page that it was made of. */
export function showResult(result, made) {
  const place = byId("result");
  // The fragment is the library's own report, escaped where it was made; scripts in it never run.
  place.innerHTML = result.html;
  // On this page its word stands on a line of its own.
  for (const word of place.querySelectorAll(".dh-reading strong")) word.textContent = word.textContent.replace(/:$/, "");
  place.setAttribute("aria-busy", "false");
  if (own) URL.revokeObjectURL(own);
  own = made && URL.createObjectURL(made);
  const more = made ? [{ name: made.name, href: own, label: "The p-values (CSV)" }] : [];
  byId("downloads").replaceChildren(...groups([...result.downloads, ...more]));
  byId("copies").replaceChildren(...copies(result, made?.name));
  byId("extras").hidden = false;
  parts();
}

/** Links to the parts of what is shown. */
export function parts() {
  const heads = [...document.querySelectorAll("#result h3, #extras h2")].filter((head) => head.checkVisibility());
  byId("parts").replaceChildren(...heads.map((head, at) => {
    head.id ||= `part-${at}`;
    return make("a", { href: `#${head.id}` }, head.textContent);
  }));
}

/** Downloads by what they are for. */
function groups(downloads) {
  const figures = downloads.filter(({ name }) => name.endsWith(".svg"));
  const reports = downloads.filter(({ name }) => name.startsWith("report.") || name === "methods.txt");
  const data = downloads.filter((one) => !figures.includes(one) && !reports.includes(one));
  const kinds = [["Report", reports], ["Data and record", data], ["Figures (SVG)", figures.map((one) => ({ ...one, label: one.name.replace(/\.svg$/, "") }))]];
  return kinds.filter(([, members]) => members.length).map(([title, members]) => make("div", {}, make("h3", {}, title), make("p", {}, ...members.map(download))));
}

function download({ name, href, label }) {
  return make("a", { href, download: name, class: "chip" }, label || name);
}

function copies(result, ofFile) {
  const ofData = Boolean(byId("pane-paste"));
  const kinds = [
    ["Command line", result.command, ofData ? "Run it in a folder with your data (what was pasted is among the downloads)." : ofFile ? `Run it in a folder with ${ofFile}.` : "Run it anywhere: it needs no file."],
    ["Python", result.python, "The same numbers in a notebook."],
    ["Methods paragraph", result.paragraph, "For a paper; fill in what stands in brackets."],
  ];
  return kinds.filter(([, text]) => text).map(([label, text, help]) => copy(label, text, help));
}

function copy(label, text, help) {
  const done = make("span", { class: "hint", "aria-live": "polite" });
  const code = make("pre", { tabindex: "0", role: "region", "aria-label": label }, make("code", {}, text));
  const button = make("button", { type: "button", class: "quiet", "aria-label": `Copy ${label.toLowerCase()}`, onclick: async () => {
    done.textContent = (await put(text, code)) ? "Copied." : "Selected: press Ctrl+C.";
    setTimeout(() => { done.textContent = ""; }, 3000);
  } }, "Copy");
  const prose = label === "Methods paragraph" ? " prose" : "";
  return make("div", { class: `copy${prose}` }, make("div", { class: "head" }, make("h3", {}, label), done, button), make("p", { class: "hint" }, help), code);
}

async function put(text, code) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}
