import { isObject } from '../protocol/json.ts';
import { jsonKey, sameJson, type Step, valuesIn } from './sameJson.ts';
import { SchemaReferences } from './schemaReferences.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type PathStep = string | number;

/** A keyword that a value breaks. */
export interface Departure {
  /** `false` is the schema `false`. */
  readonly keyword: string;
  /** The keyword's value. */
  readonly wanted: unknown;
  readonly value: unknown;
  /** To the value, from the whole. */
  readonly path: readonly PathStep[];
  /** The member or item of the value that is meant: one that is missing, one too many, one with a wrong name, one that is there twice. */
  readonly member?: PathStep;
  /** To the keyword, along the schemas that led there. */
  readonly schemaPath: readonly PathStep[];
  /** It says which kind of value is wanted, so another branch was meant. */
  readonly tellsKind: boolean;
  /** Departures from each branch of `anyOf` and `oneOf`, where none fits; for `propertyNames`, those of the name. */
  readonly branches?: readonly (readonly Departure[])[];
  /** How many branches of `oneOf`, or items of `contains`, fit. */
  readonly fitting?: number;
}

/** Parts of a schema that cannot be checked. */
export type Unclear =
  | { readonly kind: 'reference' | 'dynamic-reference'; readonly reference: string }
  | { readonly kind: 'deep'; readonly levels: number }
  | { readonly kind: 'work' }
  | { readonly kind: 'keyword'; readonly keyword: string; readonly wanted: unknown };

/** How one user of schemas wants them checked. */
interface SchemaRules {
  /** Most departures that are reported. */
  readonly most: number;
  /** Work for a value that is small; large values have more. */
  readonly steps: number;
  /** Searches for a regular expression in a text; undefined if it did not end in time. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** Checks the format of a text; without it formats are annotations. */
  readonly isOfFormat?: (format: string, text: string) => boolean;
  /** Throws where that must not be; else what is unclear is not held against the value, and whatever depends on it neither. */
  readonly onUnclear: (unclear: Unclear) => void;
}

/** A keyword that says what a value must be like. */
export interface Keyword {
  /** True for a valid value of the keyword; with any other it is ignored. */
  readonly takes: (wanted: unknown) => boolean;
  readonly check: (check: SchemaCheck, wanted: never, value: unknown, at: At) => void;
  /** Unknown to draft-07. */
  readonly isNew?: true;
}

export const isSchema = (wanted: unknown): boolean => isObject(wanted) || typeof wanted === 'boolean';

export const asNew = ([name, keyword]: readonly [string, Keyword]): readonly [string, Keyword] => [name, { ...keyword, isNew: true }];

interface Link {
  readonly up: Link | undefined;
  readonly step: PathStep;
}

/** Where a check is. */
export interface At {
  readonly schema: Schema;
  readonly path: Link | undefined;
  readonly schemaPath: Link | undefined;
  /** Schemas in one another that apply to this value. */
  readonly depth: number;
  /** And to all values around it: the stack is limited. */
  readonly total: number;
}

/** Deeper than this there is a circle, or a hostile schema. */
export const deepest = 64;
const deepestTotal = 1_200;
/** Steps that each value within the value is good for, and how many values count. */
const stepsPerValue = 8;
const maxValues = 60_000;
/** Time for all searches of one check together, in milliseconds. */
const searchingMs = 2_000;

class Exhausted extends Error {}

/**
 * The departures of a value from a JSON Schema: 2020-12, or draft-04 to draft-07 by `$schema`. References lead within the schema. Written
 * here rather than taken from a library, because schemas come from strangers: none that needs no generated code counts its steps or
 * searches under a clock of ours.
 * @param value nested at most `maxNesting` deep
 */
export function departures(
  schema: unknown,
  value: unknown,
  keywords: ReadonlyMap<string, Keyword>,
  rules: SchemaRules,
): readonly Departure[] {
  const check = new SchemaCheck(new Shared(schema, value, keywords, rules), rules.most);
  try {
    check.value(schema, value, { schema: {}, path: undefined, schemaPath: undefined, depth: 0, total: 0 });
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
  }
  return check.found;
}

/** State that all branches of one check share. */
class Shared {
  readonly rules: SchemaRules;
  readonly references: SchemaReferences;
  /** Beside a reference nothing counts, and keywords that came later are unknown. */
  readonly isOld: boolean;
  readonly #keywords: ReadonlyMap<string, Keyword>;
  readonly #present = new Map<Schema, readonly (readonly [name: string, keyword: Keyword])[]>();
  #left: number;
  #searchingMs = searchingMs;

  constructor(root: unknown, value: unknown, keywords: ReadonlyMap<string, Keyword>, rules: SchemaRules) {
    this.rules = rules;
    this.#keywords = keywords;
    this.references = new SchemaReferences(root);
    const said = isObject(root) ? root['$schema'] : undefined;
    this.isOld = typeof said === 'string' && /\bjson-schema\.org\/draft-0[4-7]\b/.test(said);
    this.#left = rules.steps + stepsPerValue * valuesIn(value, maxValues);
  }

  readonly step: Step = (units = 1) => {
    this.#left -= units;
    if (this.#left < 0) this.#stop();
  };

  matches(pattern: string, text: string): boolean | undefined {
    this.step(4 + (text.length >> 8));
    if (this.#searchingMs < 0) this.#stop();
    const before = performance.now();
    const found = this.rules.matches(pattern, text);
    this.#searchingMs -= performance.now() - before;
    return found;
  }

  /** The keywords of a schema that count, in the order in which they are reported. */
  keywordsOf(schema: Schema): readonly (readonly [name: string, keyword: Keyword])[] {
    const before = this.#present.get(schema);
    if (before !== undefined) return before;
    const onlyReference = this.isOld && typeof schema['$ref'] === 'string';
    const present = [...this.#keywords].filter(([name, { takes, isNew }]) => {
      if (!Object.hasOwn(schema, name) || (onlyReference && name !== '$ref') || (this.isOld && isNew)) return false;
      if (takes(schema[name])) return true;
      this.rules.onUnclear({ kind: 'keyword', keyword: name, wanted: schema[name] });
      return false;
    });
    this.#present.set(schema, present);
    return present;
  }

  #stop(): never {
    this.rules.onUnclear({ kind: 'work' });
    throw new Exhausted();
  }
}

/** One branch of a check: what it found. */
export class SchemaCheck {
  readonly found: Departure[] = [];
  /** Something could not be decided, so that no departures does not mean that the value fits. */
  isUnclear = false;
  readonly shared: Shared;
  readonly #most: number;

  constructor(shared: Shared, most: number) {
    this.shared = shared;
    this.#most = most;
  }

  value(schema: unknown, value: unknown, at: At): void {
    if (this.found.length >= this.#most) return;
    this.shared.step();
    if (schema === false) return this.departs(at, 'false', false, value);
    if (!isObject(schema)) return;
    if (at.depth > deepest || at.total > deepestTotal)
      return this.unclear({ kind: 'deep', levels: at.depth > deepest ? deepest : deepestTotal });
    for (const [name, { check }] of this.shared.keywordsOf(schema))
      check(this, schema[name] as never, value, { ...at, schema, schemaPath: { up: at.schemaPath, step: name } });
  }

  departs(at: At, keyword: string, wanted: unknown, value: unknown, more: Partial<Departure> = {}): void {
    if (this.found.length >= this.#most) return;
    const [path, schemaPath] = [stepsOf(at.path), stepsOf(at.schemaPath)];
    this.found.push({ keyword, wanted, value, path, schemaPath, tellsKind: false, ...more });
  }

  /** A member or an item of the value that another schema applies to. */
  inner(schema: unknown, value: unknown, at: At, step: PathStep, schemaStep?: PathStep): void {
    if (schema !== undefined) this.value(schema, value, into(at, step, schemaStep));
  }

  /** Another schema that applies to the same value. */
  also(schema: unknown, value: unknown, at: At, schemaStep?: PathStep): void {
    this.value(schema, value, deeper(at, schemaStep));
  }

  tried(schema: unknown, value: unknown, at: At, most = this.shared.rules.most): SchemaCheck {
    const branch = new SchemaCheck(this.shared, most);
    branch.value(schema, value, at);
    return branch;
  }

  /** Undefined where it cannot be decided. */
  fits(schema: unknown, value: unknown, at: At): boolean | undefined {
    const { found, isUnclear } = this.tried(schema, value, at, 1);
    return found.length > 0 ? false : isUnclear ? undefined : true;
  }

  matches(pattern: string, text: string): boolean | undefined {
    const matched = this.shared.matches(pattern, text);
    if (matched === undefined) this.isUnclear = true;
    return matched;
  }

  same(one: unknown, other: unknown): boolean {
    return sameJson(one, other, this.shared.step);
  }

  key(value: unknown): string {
    return jsonKey(value, this.shared.step);
  }

  unclear(what: Unclear): void {
    this.shared.rules.onUnclear(what);
    this.isUnclear = true;
  }
}

export const deeper = (at: At, schemaStep?: PathStep): At => ({
  ...at,
  schemaPath: schemaStep === undefined ? at.schemaPath : { up: at.schemaPath, step: schemaStep },
  depth: at.depth + 1,
  total: at.total + 1,
});

export const into = (at: At, step: PathStep, schemaStep?: PathStep): At => ({
  ...deeper(at, schemaStep),
  path: { up: at.path, step },
  depth: 0,
});

function stepsOf(last: Link | undefined): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (let link = last; link !== undefined; link = link.up) steps.push(link.step);
  return steps.reverse();
}
