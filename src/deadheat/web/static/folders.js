// What was dropped, folders with all they hold. Of hidden files in folders those are sent that are read.

/** Hidden files that tools write for every item, as readers/listing.py has them. */
const LOGS = [".aider.results.json"];

/** Whether a file may be read: what was named itself always, hidden files and folders in it never. */
export function isRead(path) {
  const inner = path.split("/").slice(1);
  return inner.every((name, at) => !name.startsWith(".") || (at === inner.length - 1 && LOGS.includes(name)));
}

const file = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));
const batch = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

async function walk(entry, path) {
  const here = path ? `${path}/${entry.name}` : entry.name;
  if (!isRead(here)) return [];
  if (entry.isFile) return [{ path: here, file: await file(entry) }];
  const reader = entry.createReader();
  const found = [];
  // A reader hands out a folder in parts, and an empty one at its end.
  for (let part = await batch(reader); part.length; part = await batch(reader)) {
    for (const inner of part) found.push(...(await walk(inner, here)));
  }
  return found;
}

/** [{path, file}] of a drop, by path. */
export async function dropped(transfer) {
  const plain = [...transfer.files].map((each) => ({ path: each.name, file: each }));
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return plain;
  const found = [];
  for (const entry of entries) {
    const inside = await walk(entry, "");
    found.push(...(entry.isDirectory ? inside.sort((left, right) => (left.path < right.path ? -1 : 1)) : inside));
  }
  return found;
}
