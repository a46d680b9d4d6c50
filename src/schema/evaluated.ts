import { isObject } from '../protocol/json.ts';
import { firstItems } from './arrayKeywords.ts';
import { isNamed, isPatterned } from './objectKeywords.ts';
import { type At, deeper, deepest, into, type PathStep, type Schema, type SchemaCheck } from './schemaCheck.ts';

/** The members or items of a value that a schema looks at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly #steps = new Set<PathStep>();
  #all = false;

  /** @param schema one that the value fits, except for what the caller asks about */
  static of(check: SchemaCheck, schema: unknown, value: object, at: At): Evaluated {
    const evaluated = new Evaluated();
    evaluated.#look(check, schema, value, at);
    return evaluated;
  }

  has(step: PathStep): boolean {
    return this.#all || this.#steps.has(step);
  }

  #look(check: SchemaCheck, schema: unknown, value: object, at: At): void {
    check.shared.step();
    if (!isObject(schema) || at.depth > deepest) return;
    if (Array.isArray(value)) this.#items(check, schema, value, at);
    else this.#members(check, schema, Object.keys(value));
    const fits = (branch: unknown): boolean => {
      const answer = check.fits(branch, value, deeper(at));
      // What may fit may have looked at everything.
      if (answer === undefined) this.#all = true;
      return answer === true;
    };
    const also = (branch: unknown): void => this.#look(check, branch, value, deeper(at));
    const list = (keyword: string): readonly unknown[] => (Array.isArray(schema[keyword]) ? (schema[keyword] as readonly unknown[]) : []);
    if (typeof schema['$ref'] === 'string') also(check.shared.references.target(schema['$ref']));
    list('allOf').forEach(also);
    for (const branch of [...list('anyOf'), ...list('oneOf')]) if (fits(branch)) also(branch);
    if ('if' in schema) {
      if (fits(schema['if'])) [schema['if'], schema['then']].forEach(also);
      else also(schema['else']);
    }
    if (isObject(schema['dependentSchemas']))
      for (const [name, branch] of Object.entries(schema['dependentSchemas'])) if (Object.hasOwn(value, name)) also(branch);
  }

  #members(check: SchemaCheck, schema: Schema, names: readonly string[]): void {
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) this.#all = true;
    if (this.#all) return;
    for (const name of names) {
      check.shared.step();
      if (isNamed(schema, name) || isPatterned(check, schema, name) !== false) this.#steps.add(name);
    }
  }

  #items(check: SchemaCheck, schema: Schema, items: readonly unknown[], at: At): void {
    const first = firstItems(check, schema);
    const isRest = Array.isArray(schema['items']) ? 'additionalItems' in schema : 'items' in schema;
    if (isRest || 'unevaluatedItems' in schema) this.#all = true;
    if (this.#all) return;
    for (const index of items.keys()) {
      check.shared.step();
      if (index < first.length || ('contains' in schema && check.fits(schema['contains'], items[index], into(at, index)) !== false))
        this.#steps.add(index);
    }
  }
}
