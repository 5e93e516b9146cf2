// Comparisons as lines of a name and a p-value.

/** {values, labels} of a text; labels are null where no line has a name. */
export function lines(source) {
  const values = [];
  const labels = [];
  for (const line of source.split(/\r?\n/)) {
    const parts = line.trim().match(/^(.*?)[\s,;:]*([^\s,;:]+)$/);
    if (!parts) continue;
    labels.push(parts[1].trim());
    values.push(parts[2]);
  }
  const named = labels.some(Boolean);
  return { values, labels: named ? labels.map((label, at) => label || String(at + 1)) : null };
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

/** The same as a table, which is how names go along. */
export function named(labels, values) {
  const body = labels.map((label, at) => `${quoted(label)},${quoted(String(values[at]))}`);
  return new File([["comparison,p_value", ...body].join("\n"), "\n"], "p_values.csv", { type: "text/csv" });
}
