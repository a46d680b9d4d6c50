import { isObject } from '../../protocol/json.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { resultSchema } from '#requestSchemas';
import type { Path } from '../text/path.ts';
import { referenceValues, resultMembers, type RequestResult } from '../values/requestResult.ts';
import { follow } from '../text/path.ts';

/** A member or item of a value. */
interface Step {
  /** A member's name, or a position. */
  readonly key: string | number;
  readonly description?: string;
  /** The value, where it is known. */
  readonly value?: unknown;
}

/** Most steps that are offered for one value. */
const most = 100;

/** The steps that can follow a path into a known value. */
export function stepsInto(value: unknown, path: Path): readonly Step[] {
  const { found, value: at } = follow(value, path);
  if (found < path.length) return [];
  if (Array.isArray(at))
    return at.length === 0
      ? []
      : [...at.slice(0, most).map((item, key): Step => ({ key, value: item })), { key: -1, value: at.at(-1) as unknown }];
  return isObject(at)
    ? Object.entries(at)
        .filter(([, member]) => member !== undefined)
        .slice(0, most)
        .map(([key, member]): Step => ({ key, value: member }))
    : [];
}

/** The steps that can follow a path into the result of a request: from its last result, else from A2A's types. */
export function stepsIntoResult(result: RequestResult | undefined, path: Path): readonly Step[] {
  if (path.length === 0) {
    const known: Readonly<Record<string, unknown>> = result === undefined ? {} : referenceValues(result);
    return Object.entries(resultMembers).map(([key, description]) => ({ key, description, value: known[key] }));
  }
  const known = result === undefined ? [] : stepsInto(referenceValues(result), path);
  return known.length > 0 ? known : stepsBySchema(path);
}

let schemas: JsonSchema | undefined;

/** The steps of any result according to A2A's types. */
function stepsBySchema(path: Path): readonly Step[] {
  schemas ??= resultSchema();
  let at: JsonSchema | undefined = schemas;
  for (const step of path) at = typeof step === 'number' ? at?.items : at?.properties?.[step];
  if (at?.items !== undefined) return [0, -1].map(key => ({ key }));
  return Object.entries(at?.properties ?? {}).map(([key, { description }]) => ({ key, description }));
}
