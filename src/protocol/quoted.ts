/** A value as JSON for use in a sentence, cut to `maxLength` UTF-16 code units. */
export function quoted(value: unknown, maxLength = 200): string {
  // Cut before escaping, so that a long text is not escaped in vain.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, maxLength) : value) ?? 'undefined';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
