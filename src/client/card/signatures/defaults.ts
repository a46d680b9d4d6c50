import { isObject } from '../../../protocol/json.ts';

/** Called with each place (RFC 6901) that a form leaves out although it has a meaning. */
export type Dropped = (pointer: string) => void;

export const stepInto = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** True for null and for what ProtoJSON writes for a field that was not set: empty text, `false`, 0, an empty list or object. */
export const isDefault = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** True for a default that means the same as its absence: adding one to a card changes nothing. An empty object has a meaning. */
const saysNothing = (value: unknown): boolean => isDefault(value) && !isObject(value);

/** Notes a member that a form leaves out, unless its absence means the same. */
function noteDropped(value: unknown, pointer: string, dropped: Dropped): void {
  if (!saysNothing(value)) dropped(pointer);
}

/**
 * Leaves out null and everything that is empty, also what is empty only after that; undefined where nothing is left. The recipe of the
 * official SDKs. Of what is left out with everything around it, only the outermost place is noted.
 * @param isEmpty what counts as empty besides lists and objects
 */
export function withoutEmpty(value: unknown, isEmpty: (scalar: unknown) => boolean, dropped: Dropped = () => {}, pointer = ''): unknown {
  if (value === null || isEmpty(value)) return undefined;
  if (!Array.isArray(value) && !isObject(value)) return value;
  const places: string[] = [];
  const kept = (inner: unknown, step: string | number): readonly unknown[] => {
    const place = stepInto(pointer, step);
    const left = withoutEmpty(inner, isEmpty, each => places.push(each), place);
    if (left !== undefined) return [left];
    noteDropped(inner, place, each => places.push(each));
    return [];
  };
  const left = Array.isArray(value)
    ? value.flatMap((item: unknown, index) => kept(item, index))
    : Object.fromEntries(Object.entries(value).flatMap(([name, member]) => kept(member, name).map(inner => [name, inner] as const)));
  if (Object.keys(left).length === 0) return undefined;
  places.forEach(dropped);
  return left;
}

/** Leaves out members with a default value; what is empty only after that stays. */
export function withoutDefaults(value: unknown, dropped: Dropped = () => {}, pointer = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => withoutDefaults(item, dropped, stepInto(pointer, index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const place = stepInto(pointer, name);
      if (!isDefault(member)) return [[name, withoutDefaults(member, dropped, place)]];
      noteDropped(member, place, dropped);
      return [];
    }),
  );
}
