// Elements are made here, text as text: a name can never become markup.

/** `make("p", {class: "help"}, "text", child)`; listeners as `onclick`. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A text whose invisible characters are shown as escapes: none of them turns what is read. */
export function plain(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`);
}

export const byId = (id) => document.getElementById(id);

/** Call once when calls have stopped for `delay` milliseconds. */
export function settled(call, delay) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, delay);
  };
}
