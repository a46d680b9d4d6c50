import { isObject } from '../protocol/json.ts';

/**
 * The same JSON value with object members in the order of `model`; members that `model` lacks come last. Lets a text comparison show
 * real differences only, not a different member order.
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
