/** A value as JSON for a sentence, cut where it is longer than a sentence can bear. */
export function quoted(value: unknown, longest = 200): string {
  // What is cut off anyway need not be escaped first.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, longest) : value) ?? 'undefined';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
