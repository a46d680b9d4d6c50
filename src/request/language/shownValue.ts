/** Longest value in a hover, and beside a completion, in UTF-16 code units. */
const longest = 2_000;
const longestBrief = 60;

/** A value for display: a text as it is, anything else as indented JSON. */
export function display(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A value on one line. */
export function displayOneLine(value: unknown): string {
  const text = (typeof value === 'string' ? value.slice(0, longest) : (JSON.stringify(value) ?? '')).replaceAll(/\s+/g, ' ');
  return text.length > longestBrief ? `${text.slice(0, longestBrief)}…` : text;
}
