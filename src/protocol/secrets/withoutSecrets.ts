import { isObjectOrArray } from '../json/depth.ts';

/** Shown in place of a password that was sent. */
export const hiddenSecret = '••••••••';

/** The step in a pointer that stands for each item of a list. */
export const eachItem = '-';

/** A copy of the value with `mark` at these JSON pointers (`secretPointers`). Pointers to missing members have no effect. */
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

/** The members that the pointer refers to, with their names, and everything inside objects and lists. Empty where there are none. */
export function membersAt(value: unknown, pointer: string): readonly Named[] {
  return namedAt({ name: '', value }, stepsOf(pointer));
}

function namedAt({ name, value }: Named, [step, ...inner]: readonly string[]): readonly Named[] {
  if (step === undefined) return leavesOf({ name, value });
  if (Array.isArray(value)) {
    if (step !== eachItem) return [];
    // A list of short secrets is also known as a whole, since short texts are not searched for by themselves.
    return [...(inner.length === 0 ? [{ name, value }] : []), ...value.flatMap(item => namedAt({ name, value: item }, inner))];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return namedAt({ name: step, value: (value as Readonly<Record<string, unknown>>)[step] }, inner);
}

function leavesOf(named: Named): readonly Named[] {
  const { name, value } = named;
  if (!isObjectOrArray(value)) return [named];
  return [
    named,
    ...(Array.isArray(value)
      ? value.flatMap(item => leavesOf({ name, value: item }))
      : Object.entries(value).flatMap(([inner, member]) => leavesOf({ name: inner, value: member }))),
  ];
}
