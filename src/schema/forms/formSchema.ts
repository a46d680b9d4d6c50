import { isObject } from '../../protocol/json.ts';
import { strings } from './schemaLimits.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** References and combinations that are followed, each inside the one before. */
const maxDepth = 8;
/** Most members that are copied while the references and combinations of one schema are followed: an agent writes them. */
const maxCopied = 100_000;

/** A schema that references lead into, and the work that is done for all that is in it. */
export class SchemaRoot {
  readonly schema: Schema;
  #left = maxCopied;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  /** Following it would take too long: what was found in it is not all. */
  get isExhausted(): boolean {
    return this.#left < 0;
  }

  /** False where so many more members are not to be copied. */
  spend(members: number): boolean {
    this.#left -= members;
    return !this.isExhausted;
  }
}

export const isObjectSchema = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value['properties']) &&
  Object.values(value['properties']).every(isObject) &&
  (value['type'] ?? 'object') === 'object';

/** The schema behind a local reference, with every `allOf` merged into it, and an `anyOf` or `oneOf` whose other branch is null. */
export function resolved(schema: Schema, root: SchemaRoot, depth = 0): Schema {
  if (depth > maxDepth || !root.spend(sizeOf(schema))) return {};
  const { $ref: reference, allOf } = schema;
  if (typeof reference === 'string' && (reference === '#' || reference.startsWith('#/'))) {
    const found = referred(reference, root.schema);
    return isObject(found) ? resolved({ ...found, ...without(schema, '$ref') }, root, depth + 1) : {};
  }
  if (Array.isArray(allOf)) {
    let whole = without(schema, 'allOf');
    for (const branch of allOf.filter(isObject)) {
      if (!root.spend(sizeOf(whole))) return {};
      whole = merged(whole, resolved(branch, root, depth + 1));
    }
    return resolved(whole, root, depth + 1);
  }
  for (const name of ['anyOf', 'oneOf']) {
    const [branch, ...others] = branchesOf(schema[name]);
    // A lone constant is a choice with one option.
    if (branch !== undefined && others.length === 0 && !('const' in branch))
      return resolved(merged(without(schema, name), branch), root, depth + 1);
  }
  return schema;
}

/** The branches of `anyOf` or `oneOf` but for null. */
export const branchesOf = (value: unknown): readonly Schema[] =>
  (Array.isArray(value) ? value : []).filter((branch): branch is Schema => isObject(branch) && branch['type'] !== 'null');

/** Both at once; what the first says of title, type and the like stays. */
export function merged(one: Schema, other: Schema): Schema {
  const properties =
    isObject(one['properties']) || isObject(other['properties'])
      ? { ...members(other['properties']), ...members(one['properties']) }
      : undefined;
  const required = [...new Set([...strings(one['required']), ...strings(other['required'])])];
  return { ...other, ...one, ...(properties && { properties }), ...(required.length > 0 && { required }) };
}

/** How many members are copied with it. */
const sizeOf = ({ properties, required, ...others }: Schema): number =>
  1 + Object.keys(others).length + Object.keys(members(properties)).length + (Array.isArray(required) ? required.length : 0);

function referred(reference: string, root: Schema): unknown {
  return reference
    .slice(2)
    .split('/')
    .filter(step => step !== '')
    .reduce<unknown>((at, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name) ? (at as Schema)[name] : undefined;
    }, root);
}

const members = (value: unknown): Schema => (isObject(value) ? value : {});
export const without = (schema: Schema, name: string): Schema => Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
