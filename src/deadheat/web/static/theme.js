// Light, dark, or what the system says. Loaded before anything is drawn, so that nothing flashes.
"use strict";
(() => {
  const KEY = "deadheat-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem(KEY); } catch { /* no storage: the system's choice */ }

  const dark = () => (chosen ? chosen === "dark" : system.matches);

  // Reports follow the system by media queries of their own; here the button is followed.
  function turn() {
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        rule.of ??= rule.media.mediaText;
        if (/^\(prefers-color-scheme: ?dark\)$/.test(rule.of)) rule.media.mediaText = dark() ? "all" : "not all";
      }
    }
  }

  function show() {
    document.documentElement.dataset.theme = dark() ? "dark" : "light";
    turn();
    const button = document.getElementById("theme");
    if (button) {
      button.textContent = dark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Show the page in ${dark() ? "light" : "dark"}`);
    }
  }

  show();
  system.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      chosen = dark() ? "light" : "dark";
      try { localStorage.setItem(KEY, chosen); } catch { /* holds for this page only */ }
      show();
    });
  });
})();
