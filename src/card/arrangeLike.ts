import { isObject } from '../protocol/json.ts';

/**
 * A JSON value with the members of its objects in the order that another value has them, those it does not have at the end: for a
 * comparison that shows what differs and not who writes in which order.
 */
export function arrangeLike(value: unknown, model: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => arrangeLike(item, Array.isArray(model) ? model[index] : undefined));
  if (!isObject(value)) return value;
  const pattern = isObject(model) ? model : {};
  const names = [
    ...Object.keys(pattern).filter(name => Object.hasOwn(value, name)),
    ...Object.keys(value).filter(name => !Object.hasOwn(pattern, name)),
  ];
  return Object.fromEntries(names.map(name => [name, arrangeLike(value[name], pattern[name])]));
}
