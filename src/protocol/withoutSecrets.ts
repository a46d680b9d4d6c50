/** What is read in the place of a password that was sent. */
export const hiddenSecret = '••••••••';

/** The value with `mark` in these places, JSON pointers into it; those that it does not have are left out. */
export const withoutSecrets = (value: unknown, pointers: readonly string[], mark: unknown): unknown =>
  pointers.reduce((data, pointer) => marked(data, stepsOf(pointer), mark), value);

const stepsOf = (pointer: string): readonly string[] => pointer.split('/').slice(1).map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function marked(value: unknown, [name, ...inner]: readonly string[], mark: unknown): unknown {
  if (name === undefined) return mark;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, key === name ? marked(each, inner, mark) : each]));
}

/** The member that a JSON pointer leads to, under its name; none where it leads to none. */
export function namedBy(value: unknown, pointer: string): readonly { readonly name: string; readonly value: unknown }[] {
  let found = value;
  const steps = stepsOf(pointer);
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return [];
    found = (found as Readonly<Record<string, unknown>>)[step];
  }
  return steps.length === 0 ? [] : [{ name: steps.at(-1) ?? '', value: found }];
}
