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

export const byId = (id) => document.getElementById(id);

/** Call once when calls have stopped for `delay` milliseconds. */
export function settled(call, delay) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, delay);
  };
}
