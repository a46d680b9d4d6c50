/** What is read in the place of a password that was sent. */
export const hiddenSecret = '••••••••';

/** The value with `mark` in these places, JSON pointers into it; those that it does not have are left out. */
export const withoutSecrets = (value: unknown, pointers: readonly string[], mark: unknown): unknown =>
  pointers.reduce((data, pointer) => marked(data, pointer.split('/').slice(1).map(step => step.replaceAll('~1', '/').replaceAll('~0', '~')), mark), value);

function marked(value: unknown, [name, ...inner]: readonly string[], mark: unknown): unknown {
  if (name === undefined) return mark;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, key === name ? marked(each, inner, mark) : each]));
}
