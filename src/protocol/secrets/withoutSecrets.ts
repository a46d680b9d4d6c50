/** What is read in the place of a password that was sent. */
export const hiddenSecret = '••••••••';

/** The step of a pointer that leads to each item of a list. */
export const eachItem = '-';

/** The value with `mark` in these places, JSON pointers into it (`secretPointers`); those that it does not have are left out. */
export const withoutSecrets = (value: unknown, pointers: readonly string[], mark: unknown): unknown =>
  pointers.reduce((data, pointer) => marked(data, stepsOf(pointer), mark), value);

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function marked(value: unknown, [name, ...inner]: readonly string[], mark: unknown): unknown {
  if (name === undefined) return mark;
  if (Array.isArray(value)) return name === eachItem ? value.map(item => marked(item, inner, mark)) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [key, key === name ? marked(each, inner, mark) : each]),
  );
}

interface Named {
  readonly name: string;
  readonly value: unknown;
}

/** The members that such a pointer leads to, under their names; of objects and lists also all that are in them. None where it leads to none. */
export function namedBy(value: unknown, pointer: string): readonly Named[] {
  return namedAt({ name: '', value }, stepsOf(pointer));
}

function namedAt({ name, value }: Named, [step, ...inner]: readonly string[]): readonly Named[] {
  if (step === undefined) return leavesOf({ name, value });
  if (Array.isArray(value)) {
    if (step !== eachItem) return [];
    // A list of secrets is also known as a whole: short ones are found nowhere else.
    return [...(inner.length === 0 ? [{ name, value }] : []), ...value.flatMap(item => namedAt({ name, value: item }, inner))];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return namedAt({ name: step, value: (value as Readonly<Record<string, unknown>>)[step] }, inner);
}

function leavesOf(named: Named): readonly Named[] {
  const { name, value } = named;
  if (typeof value !== 'object' || value === null) return [named];
  return [
    named,
    ...(Array.isArray(value)
      ? value.flatMap(item => leavesOf({ name, value: item }))
      : Object.entries(value).flatMap(([inner, member]) => leavesOf({ name: inner, value: member }))),
  ];
}
