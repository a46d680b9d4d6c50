/** Longest value in a hover, and beside a completion, in UTF-16 code units. */
const maxLength = 2_000;
const maxBriefLength = 60;

/** A value for display: a text as it is, anything else as indented JSON. */
export function display(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** A value on one line. */
export function displayOneLine(value: unknown): string {
  const text = (typeof value === 'string' ? value.slice(0, maxLength) : (JSON.stringify(value) ?? '')).replaceAll(/\s+/g, ' ');
  return text.length > maxBriefLength ? `${text.slice(0, maxBriefLength)}…` : text;
}
