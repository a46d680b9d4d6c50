import { isShallow, maxNesting } from '../json/depth.ts';
import { ExactNumber } from '../json/exactNumber.ts';
import { isObject } from '../json.ts';
import { sentence, type LocalizedMessage } from '../problem.ts';
import { quoted } from '../quoted.ts';
import { limitsBroken, strings } from './schemaLimits.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where a value departs from a schema, with an RFC 6901 pointer into the value; what is there is the subject of the words, which quote the schema. */
export interface SchemaFault {
  readonly pointer: string;
  readonly what: LocalizedMessage;
}

/** Whether a regular expression is found in a text; undefined where that cannot be told in time. */
export type Matches = (pattern: string, text: string) => boolean | undefined;

/** Most faults that are told, and most values that are looked at: a schema comes from a stranger. */
const maxFaults = 100;
const maxChecks = 20_000;

/**
 * What of a value breaks a schema (JSON Schema 2020-12 and draft-07, without references to other documents, `unevaluated…` and
 * `$dynamicRef`). The agent has the last word, so a keyword that is not known here is not checked. Patterns are checked with `matches`
 * alone, since a stranger's expression can take for ever.
 */
export function schemaFaults(schema: unknown, value: unknown, matches?: Matches): readonly SchemaFault[] {
  if (!isShallow(value)) return [{ pointer: '', what: sentence('is nested more than {0} levels deep', maxNesting) }];
  const check = new Check(schema, matches, { left: maxChecks });
  check.value(schema, value, '');
  return check.faults.map(({ pointer, what }) => ({ pointer, what }));
}

interface Found extends SchemaFault {
  /** The keyword says which kind of value is wanted, so that the fault tells that another branch was meant. */
  readonly kind: boolean;
}

class Check {
  readonly faults: Found[] = [];
  readonly #root: unknown;
  readonly #matches: Matches | undefined;
  /** Shared by all branches of one check. */
  readonly #budget: { left: number };

  constructor(root: unknown, matches: Matches | undefined, budget: { left: number }) {
    this.#root = root;
    this.#matches = matches;
    this.#budget = budget;
  }

  /** `depth` counts schemas that apply to one value: references may go in a circle. */
  value(schema: unknown, written: unknown, pointer: string, depth = 0): void {
    if (schema === false) this.#fault(pointer, sentence('is not allowed'));
    if (!isObject(schema) || depth > 32 || this.#budget.left-- <= 0) return;
    const value = written instanceof ExactNumber ? Number(written.digits) : written;
    this.#kind(schema, value, pointer);
    limitsBroken(schema, value).forEach(what => this.#fault(pointer, what));
    if (typeof value === 'string') this.#pattern(schema, value, pointer);
    else if (Array.isArray(value)) this.#array(schema, value, pointer);
    else if (isObject(value)) this.#object(schema, value, pointer, depth);
    this.#combined(schema, value, pointer, depth);
  }

  #fault(pointer: string, what: LocalizedMessage, kind = false): void {
    if (this.faults.length < maxFaults) this.faults.push({ pointer, what, kind });
  }

  #kind(schema: Schema, value: unknown, pointer: string): void {
    const types = typesOf(schema);
    if (types.length > 0 && !types.some(type => isOfType(type, value)))
      this.#fault(pointer, sentence('should be {0}, not {1}', types.join(' | '), quoted(value, 60)), true);
    if ('const' in schema && key(schema['const']) !== key(value))
      this.#fault(pointer, sentence('should be {0}', quoted(schema['const'], 60)), true);
    const allowed = schema['enum'];
    if (Array.isArray(allowed) && !allowed.some(one => key(one) === key(value)))
      this.#fault(pointer, sentence('should be one of {0}', quoted(allowed)), true);
  }

  #pattern({ pattern }: Schema, value: string, pointer: string): void {
    if (typeof pattern === 'string' && this.#matches?.(pattern, value) === false)
      this.#fault(pointer, sentence('should match /{0}/', pattern.slice(0, 200)));
  }

  #object(schema: Schema, value: Schema, pointer: string, depth: number): void {
    for (const name of strings(schema['required'])) this.#needed(name, value, pointer);
    const properties = members(schema['properties']);
    const patterns = Object.entries(members(schema['patternProperties']));
    const others = schema['additionalProperties'];
    for (const [name, inner] of Object.entries(value)) {
      const at = `${pointer}/${step(name)}`;
      const known = Object.hasOwn(properties, name);
      if (known) this.value(properties[name], inner, at);
      const answers = patterns.map(([pattern, wanted]) => [this.#matches?.(pattern, name), wanted] as const);
      for (const [matched, wanted] of answers) if (matched === true) this.value(wanted, inner, at);
      // A name that may match a pattern that cannot be searched for is no other one.
      if (!known && answers.every(([matched]) => matched === false)) {
        if (others === false) this.#fault(at, sentence('is not a member that the agent takes'));
        else this.value(others, inner, at);
      }
      if ('propertyNames' in schema && !this.#fits(schema['propertyNames'], name, 0))
        this.#fault(at, sentence('should not have this name'));
    }
    this.#dependent(schema, value, pointer, depth);
  }

  #needed(name: string, value: Schema, pointer: string): void {
    if (!Object.hasOwn(value, name)) this.#fault(`${pointer}/${step(name)}`, sentence('is missing'));
  }

  #dependent(schema: Schema, value: Schema, pointer: string, depth: number): void {
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      for (const [name, wanted] of Object.entries(members(schema[keyword]))) {
        if (!Object.hasOwn(value, name)) continue;
        if (Array.isArray(wanted)) strings(wanted).forEach(other => this.#needed(other, value, pointer));
        else this.value(wanted, value, pointer, depth + 1);
      }
    }
  }

  #array(schema: Schema, value: readonly unknown[], pointer: string): void {
    const { prefixItems, items, additionalItems, uniqueItems, contains, minContains, maxContains } = schema;
    // Draft-07 says with `items` what 2020-12 says with `prefixItems`.
    const first = list(Array.isArray(items) ? items : prefixItems);
    const rest = Array.isArray(items) ? additionalItems : items;
    value.forEach((item, index) => this.value(index < first.length ? first[index] : rest, item, `${pointer}/${index}`));
    if (uniqueItems === true) {
      const seen = new Set<string>();
      for (const [index, item] of value.entries()) {
        if (seen.has(key(item))) this.#fault(`${pointer}/${index}`, sentence('is there twice'));
        seen.add(key(item));
      }
    }
    if (contains === undefined) return;
    const fitting = value.filter(item => this.#fits(contains, item, 0)).length;
    if (fitting < (typeof minContains === 'number' ? minContains : 1))
      this.#fault(pointer, sentence('has too few items of the kind that the agent wants'));
    if (typeof maxContains === 'number' && fitting > maxContains)
      this.#fault(pointer, sentence('has too many items of the kind that the agent wants'));
  }

  #combined(schema: Schema, value: unknown, pointer: string, depth: number): void {
    const { $ref: reference, not, if: condition } = schema;
    if (typeof reference === 'string') this.value(this.#referred(reference), value, pointer, depth + 1);
    for (const all of list(schema['allOf'])) this.value(all, value, pointer, depth + 1);
    this.#branches(list(schema['anyOf']), value, pointer, depth, Infinity);
    this.#branches(list(schema['oneOf']), value, pointer, depth, 1);
    if ((isObject(not) || not === true) && this.#fits(not, value, depth + 1))
      this.#fault(pointer, sentence('is what the agent does not take'));
    if (condition !== undefined) this.value(schema[this.#fits(condition, value, depth + 1) ? 'then' : 'else'], value, pointer, depth + 1);
  }

  #branches(branches: readonly unknown[], value: unknown, pointer: string, depth: number, most: number): void {
    if (branches.length === 0) return;
    const tried = branches.map(branch => this.#tried(branch, value, pointer, depth + 1));
    const fitting = tried.filter(faults => faults.length === 0).length;
    if (fitting > most) this.#fault(pointer, sentence('fits {0} of the forms of which it should fit one', fitting));
    if (fitting > 0 || this.#budget.left <= 0) return;
    const meant = tried.filter(faults => !faults.some(({ kind }) => kind));
    // A branch whose kinds all fit is the one that was meant, where there is only one such.
    if (meant.length === 1) meant[0]!.forEach(({ pointer: at, what, kind }) => this.#fault(at, what, kind));
    else
      this.#fault(
        pointer,
        sentence('fits none of the {0} forms that the agent takes', branches.length),
        tried.every(faults => faults.some(({ kind }) => kind)),
      );
  }

  #tried(schema: unknown, value: unknown, pointer: string, depth: number): readonly Found[] {
    const check = new Check(this.#root, this.#matches, this.#budget);
    check.value(schema, value, pointer, depth);
    return check.faults;
  }

  #fits(schema: unknown, value: unknown, depth: number): boolean {
    return this.#tried(schema, value, '', depth).length === 0;
  }

  /** Undefined for what is not in this schema: it is not fetched from anywhere. */
  #referred(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    return reference
      .slice(1)
      .split('/')
      .filter(Boolean)
      .reduce<unknown>((at, name) => {
        const wanted = name.replaceAll('~1', '/').replaceAll('~0', '~');
        return (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, wanted) ? (at as Schema)[wanted] : undefined;
      }, this.#root);
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const members = (value: unknown): Schema => (isObject(value) ? value : {});
const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : strings(type));
const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    // A word that JSON Schema does not have says nothing that could be checked.
    default:
      return true;
  }
}

/** The same text for values that are equal as JSON, whatever the order of members. */
const key = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? '';
