import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { showPath, type Path } from '../text/path.ts';
import { brief, isOfType } from './matcher.ts';
import { matches } from './pattern.ts';

/** Where and how a value does not fit a schema. */
export interface SchemaFault {
  /** In the value, as people write it; `$` is the whole. */
  readonly place: string;
  /** A verb with what follows: the place is its subject. */
  readonly what: LocalizedMessage;
  /** The keyword's value. */
  readonly wanted: unknown;
  readonly schemaPath: Path;
}

interface At {
  readonly root: unknown;
  readonly path: Path;
  readonly schemaPath: Path;
  readonly depth: number;
}

type Schema = Readonly<Record<string, unknown>>;
type Keyword = (wanted: unknown, value: unknown, schema: Schema, at: At) => SchemaFault | undefined;

/** References deeper than this are a circle, or hostile. */
const deepest = 100;

const fields = (value: unknown): Schema => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A keyword that looks at values of one kind alone. */
const simple =
  (
    applies: (value: unknown) => boolean,
    holds: (wanted: unknown, value: never) => boolean,
    what: (wanted: string) => LocalizedMessage,
  ): Keyword =>
  (wanted, value, _schema, at) =>
    !applies(value) || holds(wanted, value as never) ? undefined : fault(at, what(brief(wanted)), wanted);

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const always = (): boolean => true;

/** The keywords of draft-07 that say what a value must be like. Annotations such as `title` and `format` say nothing of that. */
const keywords: Readonly<Record<string, Keyword>> = {
  type: simple(
    always,
    (wanted, value) => [wanted].flat().some(type => isOfType(value, String(type))),
    wanted => sentence('is not of type {0}', wanted),
  ),
  const: simple(always, isDeepStrictEqual, wanted => sentence('is not {0}', wanted)),
  enum: simple(
    always,
    (wanted, value) => list(wanted).some(item => isDeepStrictEqual(item, value)),
    wanted => sentence('is none of {0}', wanted),
  ),
  minimum: simple(
    isNumber,
    (wanted, value) => value >= Number(wanted),
    wanted => sentence('is not at least {0}', wanted),
  ),
  maximum: simple(
    isNumber,
    (wanted, value) => value <= Number(wanted),
    wanted => sentence('is not at most {0}', wanted),
  ),
  exclusiveMinimum: simple(
    isNumber,
    (wanted, value) => value > Number(wanted),
    wanted => sentence('is not more than {0}', wanted),
  ),
  exclusiveMaximum: simple(
    isNumber,
    (wanted, value) => value < Number(wanted),
    wanted => sentence('is not less than {0}', wanted),
  ),
  multipleOf: simple(
    isNumber,
    (wanted, value) => Number.isInteger(Number((value / Number(wanted)).toPrecision(15))),
    wanted => sentence('is not a multiple of {0}', wanted),
  ),
  minLength: simple(
    isText,
    (wanted, value: string) => [...value].length >= Number(wanted),
    wanted => sentence('is shorter than {0}', wanted),
  ),
  maxLength: simple(
    isText,
    (wanted, value: string) => [...value].length <= Number(wanted),
    wanted => sentence('is longer than {0}', wanted),
  ),
  pattern: simple(
    isText,
    (wanted, value: string) => matches(String(wanted), value),
    wanted => sentence('does not match {0}', wanted),
  ),
  minItems: simple(
    Array.isArray,
    (wanted, value: unknown[]) => value.length >= Number(wanted),
    wanted => sentence('has fewer items than {0}', wanted),
  ),
  maxItems: simple(
    Array.isArray,
    (wanted, value: unknown[]) => value.length <= Number(wanted),
    wanted => sentence('has more items than {0}', wanted),
  ),
  uniqueItems: simple(
    Array.isArray,
    (wanted, value: unknown[]) => wanted !== true || new Set(value.map(item => JSON.stringify(item))).size === value.length,
    () => sentence('has an item twice'),
  ),
  minProperties: simple(
    isObject,
    (wanted, value: Schema) => Object.keys(value).length >= Number(wanted),
    wanted => sentence('has fewer members than {0}', wanted),
  ),
  maxProperties: simple(
    isObject,
    (wanted, value: Schema) => Object.keys(value).length <= Number(wanted),
    wanted => sentence('has more members than {0}', wanted),
  ),
  required: (wanted, value, _schema, at) => {
    if (!isObject(value)) return undefined;
    const missing = list(wanted).find(name => !Object.hasOwn(value, String(name)));
    return missing === undefined ? undefined : fault(at, sentence('has no member {0}', String(missing)), wanted);
  },
  properties: (wanted, value, _schema, at) =>
    first(Object.entries(fields(wanted)), ([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name) ? visit(value[name], schema, into(at, name, [name])) : undefined,
    ),
  patternProperties: (wanted, value, _schema, at) =>
    first(Object.entries(fields(wanted)), ([pattern, schema]) =>
      first(Object.entries(fields(value)), ([name, member]) =>
        matches(pattern, name) ? visit(member, schema, into(at, name, [pattern])) : undefined,
      ),
    ),
  additionalProperties: (wanted, value, { properties, patternProperties }, at) => {
    const named = fields(properties);
    const patterns = Object.keys(fields(patternProperties));
    return first(Object.entries(fields(value)), ([name, member]) => {
      if (Object.hasOwn(named, name) || patterns.some(pattern => matches(pattern, name))) return undefined;
      return wanted === false
        ? fault(at, sentence('has a member {0} that is not allowed', name), wanted)
        : visit(member, wanted, into(at, name, []));
    });
  },
  propertyNames: (wanted, value, _schema, at) => first(Object.keys(fields(value)), name => visit(name, wanted, into(at, name, []))),
  items: (wanted, value, _schema, at) =>
    first([...list(value).entries()], ([index, item]) =>
      Array.isArray(wanted)
        ? index < wanted.length
          ? visit(item, wanted[index], into(at, index, [index]))
          : undefined
        : visit(item, wanted, into(at, index, [])),
    ),
  additionalItems: (wanted, value, { items }, at) =>
    Array.isArray(items)
      ? first([...list(value).entries()].slice(items.length), ([index, item]) =>
          wanted === false
            ? fault(at, sentence('has more items than {0}', items.length), wanted)
            : visit(item, wanted, into(at, index, [])),
        )
      : undefined,
  contains: (wanted, value, _schema, at) =>
    !Array.isArray(value) || value.some(item => visit(item, wanted, deeper(at)) === undefined)
      ? undefined
      : fault(at, sentence('does not contain {0}', brief(wanted)), wanted),
  allOf: (wanted, value, _schema, at) =>
    first([...list(wanted).entries()], ([index, schema]) => visit(value, schema, { ...deeper(at), schemaPath: [...at.schemaPath, index] })),
  anyOf: (wanted, value, _schema, at) =>
    list(wanted).some(schema => visit(value, schema, deeper(at)) === undefined)
      ? undefined
      : fault(at, sentence('fits none of the alternatives of {0}', 'anyOf'), wanted),
  oneOf: (wanted, value, _schema, at) => {
    const fitting = list(wanted).filter(schema => visit(value, schema, deeper(at)) === undefined).length;
    if (fitting === 1) return undefined;
    return fault(
      at,
      fitting === 0
        ? sentence('fits none of the alternatives of {0}', 'oneOf')
        : sentence('fits {0} alternatives of {1} and not one', fitting, 'oneOf'),
      wanted,
    );
  },
  not: (wanted, value, _schema, at) =>
    visit(value, wanted, deeper(at)) === undefined ? fault(at, sentence('fits what it must not fit'), wanted) : undefined,
  if: (wanted, value, schema, at) => {
    const branch = visit(value, wanted, deeper(at)) === undefined ? 'then' : 'else';
    return schema[branch] === undefined
      ? undefined
      : visit(value, schema[branch], { ...deeper(at), schemaPath: [...at.schemaPath.slice(0, -1), branch] });
  },
  $ref: (wanted, value, _schema, at) => visit(value, target(String(wanted), at.root), deeper(at)),
};

/** Keywords that are checked. */
export const checkedKeywords: readonly string[] = Object.keys(keywords);

/**
 * The first way in which a value does not fit a JSON schema of draft-07; undefined where it fits. References lead within the schema.
 * @throws Problem `bad-schema` where a reference leads nowhere or in a circle, and those of `matches`.
 */
export function faultOf(value: unknown, schema: unknown): SchemaFault | undefined {
  return visit(value, schema, { root: schema, path: [], schemaPath: [], depth: 0 });
}

function visit(value: unknown, schema: unknown, at: At): SchemaFault | undefined {
  if (at.depth > deepest)
    throw new Problem('bad-schema', sentence('The schema leads deeper than {0} levels, perhaps in a circle.', deepest));
  if (schema === false) return fault(at, sentence('must not be there'), schema);
  if (!isObject(schema)) return undefined;
  // Beside a reference nothing counts in draft-07.
  const present = typeof schema['$ref'] === 'string' ? ['$ref'] : Object.keys(keywords).filter(keyword => Object.hasOwn(schema, keyword));
  return first(present, keyword => keywords[keyword]?.(schema[keyword], value, schema, { ...at, schemaPath: [...at.schemaPath, keyword] }));
}

function target(reference: string, root: unknown): unknown {
  const steps = reference === '#' ? [] : reference.startsWith('#/') ? reference.slice(2).split('/') : undefined;
  let found: unknown = steps === undefined ? undefined : root;
  for (const step of steps ?? []) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Schema)[name] : undefined;
  }
  if (found !== undefined) return found;
  throw new Problem('bad-schema', sentence('The schema refers to {0}, which is not in it.', reference), {
    nextStep: sentence('Write it under "definitions" of the same schema.'),
  });
}

const deeper = (at: At): At => ({ ...at, depth: at.depth + 1 });
const into = (at: At, step: string | number, schemaSteps: Path): At => ({
  ...at,
  path: [...at.path, step],
  schemaPath: [...at.schemaPath, ...schemaSteps],
  depth: at.depth + 1,
});
const fault = ({ path, schemaPath }: At, what: LocalizedMessage, wanted: unknown): SchemaFault => ({
  place: `$${showPath(path)}`,
  what,
  wanted,
  schemaPath,
});

function first<T>(items: Iterable<T>, look: (item: T) => SchemaFault | undefined): SchemaFault | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
