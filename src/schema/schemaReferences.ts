import { isObjectOrArray } from '../protocol/json/depth.ts';
import { isObject } from '../protocol/json.ts';

/** Most objects of a schema that are searched for `$id` and `$anchor`: a stranger may have written it. */
const maxSearched = 20_000;

/** Keywords whose values are no schemas, and those whose members are. */
const values = ['const', 'enum', 'default', 'examples'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** Where the references of a schema lead: within it alone, since nothing is fetched. */
export class SchemaReferences {
  readonly #root: unknown;
  #named: ReadonlyMap<string, unknown> | undefined;
  /** A reference is followed for each value that its schema applies to, a million times in a large one: finding it took half of that time. */
  readonly #targets = new Map<string, unknown>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Undefined for what is not in the schema. */
  target(reference: string): unknown {
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#find(reference));
    return this.#targets.get(reference);
  }

  #find(reference: string): unknown {
    const at = reference.indexOf('#');
    const [document, fragment] = at < 0 ? [reference, ''] : [reference.slice(0, at), decoded(reference.slice(at + 1))];
    if (fragment === undefined) return undefined;
    const start = document === '' ? this.#root : this.#byName(this.#absolute(document));
    if (fragment === '') return start;
    return fragment.startsWith('/') ? stepsInto(start, fragment) : this.#byName(`#${fragment}`);
  }

  #absolute(reference: string): string {
    const base = isObject(this.#root) ? this.#root['$id'] : undefined;
    return URL.parse(reference, typeof base === 'string' ? base : undefined)?.href ?? reference;
  }

  #byName(name: string): unknown {
    this.#named ??= this.#search();
    return this.#named.get(name);
  }

  /** Schemas by absolute `$id`, and by `#` and their anchor; the first of a name counts. */
  #search(): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>();
    const add = (name: string, schema: unknown): void => void (found.has(name) || found.set(name, schema));
    const open: { readonly node: unknown; readonly isMap: boolean }[] = [{ node: this.#root, isMap: false }];
    for (let next = 0; next < open.length; next++) {
      const { node, isMap } = open[next]!;
      if (isObject(node) && !isMap) {
        const { $id: id, $anchor: anchor } = node;
        // Draft-07 writes an anchor as an `$id`.
        if (typeof id === 'string') add(id.startsWith('#') ? id : this.#absolute(id.replace(/#$/, '')), node);
        if (typeof anchor === 'string') add(`#${anchor}`, node);
      }
      for (const [name, inner] of Object.entries(node as object)) {
        if (open.length >= maxSearched) break;
        if (isObjectOrArray(inner) && (isMap || !values.includes(name))) open.push({ node: inner, isMap: !isMap && maps.includes(name) });
      }
    }
    return found;
  }
}

function stepsInto(start: unknown, pointer: string): unknown {
  let at = start;
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObjectOrArray(at) && Object.hasOwn(at, name) ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return at;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
