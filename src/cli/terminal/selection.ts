import { isObject } from '../../protocol/json.ts';
import { pointerSteps, valueAt } from '../../protocol/json/pointer.ts';
import type { Values } from './options.ts';
import { UsageError } from './usage.ts';

/** Maximum number of pointers listed in a message. */
const maxMembers = 12;

/** The values that `--select` takes of each JSON object that a command prints. */
export class Selection {
  readonly #pointers: readonly (readonly string[])[];
  #objects = 0;
  #values = 0;
  /** The first pointers of the objects that were printed. */
  readonly #members = new Set<string>();

  /** @throws UsageError for a text that is no JSON Pointer */
  constructor(written: readonly string[]) {
    this.#pointers = written.map(pointer => {
      const steps = pointerSteps(pointer);
      if (steps === undefined)
        throw new UsageError(`--select must be a JSON pointer such as /task/status/state, not ${JSON.stringify(pointer.slice(0, 60))}.`);
      return steps;
    });
  }

  /** The values at the pointers, as far as they exist, in the order of the pointers. */
  in(object: unknown): readonly unknown[] {
    this.#objects++;
    const found = this.#pointers.map(steps => valueAt(object, steps)).filter(value => value !== undefined);
    this.#values += found.length;
    if (isObject(object)) for (const name of Object.keys(object)) if (this.#members.size < maxMembers) this.#members.add(name);
    return found;
  }

  /** Pointers to the members of the printed objects. */
  get members(): readonly string[] {
    return [...this.#members].map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 60)}`);
  }

  /** True if objects were printed and the selection matched nothing in them. */
  get foundNothing(): boolean {
    return this.#objects > 0 && this.#values === 0;
  }
}

/** The selection of a command line; undefined where all of each object is wanted. `--select` is about JSON. @throws UsageError */
export function selectionIn({ select, json }: Values): Selection | undefined {
  if (select === undefined) return undefined;
  if (json !== true) throw new UsageError('--select takes values of what --json prints: give --json, too.');
  return new Selection(select);
}
