// Light, dark, or what the system says. Loaded before anything is drawn, so that nothing flashes.
"use strict";
(() => {
  const KEY = "deadheat-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem(KEY); } catch { /* no storage: the system's choice */ }

  const dark = () => (chosen ? chosen === "dark" : system.matches);

  function show() {
    document.documentElement.dataset.theme = dark() ? "dark" : "light";
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
