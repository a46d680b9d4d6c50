import { isObject } from '../protocol/json.ts';
import { asNew, type At, into, isSchema, type Keyword, type Schema, type SchemaCheck } from './schemaCheck.ts';

const isListOfNames = (wanted: unknown): boolean => Array.isArray(wanted) && wanted.every(name => typeof name === 'string');

/** A keyword that says nothing of what is no object. */
export const ofObjects = (
  keyword: string,
  takes: (wanted: unknown) => boolean,
  apply: (check: SchemaCheck, wanted: never, value: Schema, at: At) => void,
): readonly [string, Keyword] => [
  keyword,
  {
    takes,
    check: (check, wanted, value, at) => {
      if (isObject(value)) apply(check, wanted, value, at);
    },
  },
];

/** True if a name matches a pattern of `patternProperties`; undefined if it may. */
export function isPatterned(check: SchemaCheck, { patternProperties }: Schema, name: string): boolean | undefined {
  let matched: boolean | undefined = false;
  for (const pattern of isObject(patternProperties) ? Object.keys(patternProperties) : []) {
    const found = check.matches(pattern, name);
    if (found === true) return true;
    if (found === undefined) matched = undefined;
  }
  return matched;
}

export const isNamed = ({ properties }: Schema, name: string): boolean => isObject(properties) && Object.hasOwn(properties, name);

/** Holds the schema of other members against those that are. */
export function otherMembers(
  check: SchemaCheck,
  keyword: string,
  wanted: unknown,
  value: Schema,
  at: At,
  isOther: (name: string) => boolean,
): void {
  for (const [name, inner] of Object.entries(value)) {
    check.shared.step();
    if (!isOther(name)) continue;
    if (wanted === false) check.departs(at, keyword, false, value, { member: name });
    else check.inner(wanted, inner, at, name);
  }
}

function needed(check: SchemaCheck, keyword: string, names: readonly string[], value: Schema, at: At): void {
  check.shared.step(names.length >> 4);
  for (const name of names) if (!Object.hasOwn(value, name)) check.departs(at, keyword, names, value, { member: name });
}

function dependent(check: SchemaCheck, keyword: string, wanted: Schema, value: Schema, at: At): void {
  for (const [name, then] of Object.entries(wanted)) {
    check.shared.step();
    if (!Object.hasOwn(value, name)) continue;
    if (isListOfNames(then)) needed(check, keyword, then as readonly string[], value, at);
    else if (isSchema(then)) check.also(then, value, at, name);
  }
}

export const objectKeywords: readonly (readonly [string, Keyword])[] = [
  ofObjects('required', isListOfNames, (check, names: readonly string[], value, at) => needed(check, 'required', names, value, at)),
  ofObjects('properties', isObject, (check, wanted: Schema, value, at) => {
    for (const [name, schema] of Object.entries(wanted)) {
      check.shared.step();
      if (Object.hasOwn(value, name)) check.inner(schema, value[name], at, name, name);
    }
  }),
  ofObjects('patternProperties', isObject, (check, wanted: Schema, value, at) => {
    for (const [pattern, schema] of Object.entries(wanted))
      for (const [name, inner] of Object.entries(value))
        if (check.matches(pattern, name) === true) check.inner(schema, inner, at, name, pattern);
  }),
  // A name that may match a pattern that cannot be searched for is not another one.
  ofObjects('additionalProperties', isSchema, (check, wanted: unknown, value, at) =>
    otherMembers(
      check,
      'additionalProperties',
      wanted,
      value,
      at,
      name => !isNamed(at.schema, name) && isPatterned(check, at.schema, name) === false,
    ),
  ),
  ofObjects('propertyNames', isSchema, (check, wanted: unknown, value, at) => {
    for (const name of Object.keys(value)) {
      const tried = check.tried(wanted, name, into(at, name), 1);
      if (tried.found.length > 0) check.departs(at, 'propertyNames', wanted, value, { member: name, branches: [tried.found] });
      else if (tried.isUnclear) check.isUnclear = true;
    }
  }),
  ...['dependentRequired', 'dependentSchemas', 'dependencies'].map((keyword): readonly [string, Keyword] => {
    const row = ofObjects(keyword, isObject, (check, wanted: Schema, value, at) => dependent(check, keyword, wanted, value, at));
    return keyword === 'dependencies' ? row : asNew(row);
  }),
];
