/** A value as JSON for use in a sentence, cut to `longest` UTF-16 code units. */
export function quoted(value: unknown, longest = 200): string {
  // Cut before escaping, so that a long text is not escaped in vain.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, longest) : value) ?? 'undefined';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
