import { isObject } from '../json.ts';

/** The steps of a JSON Pointer (RFC 6901); undefined for a text that is none. */
export function pointerSteps(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the steps of a pointer; undefined where there is none. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    if (Array.isArray(at)) {
      // No leading zeros, and "-" names what is not there yet (RFC 6901 §4).
      if (!/^(?:0|[1-9]\d*)$/.test(step)) return undefined;
      at = at[Number(step)];
    } else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
