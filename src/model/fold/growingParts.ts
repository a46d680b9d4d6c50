import type { Part } from '../../protocol/message/part.ts';
import { isObjectOrArray } from '../../protocol/json/depth.ts';
import type { Artifact } from '../../protocol/message/task.ts';

/** From so many code units on, parts that are written down are not held in memory as well. */
const large = 256 * 1024;

/**
 * The parts of an artifact while it grows. A stream may bring any number of megabytes: those that the history has are read from there, should
 * anybody ask for them.
 */
export class GrowingParts {
  /** Those after the written ones. */
  #here: Part[];
  #sizeHere: number;
  #size: number;
  /** How many are written and no longer here. */
  #written = 0;
  #read: () => readonly Part[] = () => [];

  constructor(parts: readonly Part[]) {
    this.#here = [...parts];
    this.#size = sizeOf(parts);
    this.#sizeHere = this.#size;
  }

  /** In UTF-16 code units. */
  get size(): number {
    return this.#size;
  }

  /** All of them. Throws what reading the history throws. */
  get all(): Part[] {
    return this.#written === 0 ? [...this.#here] : [...this.#read().slice(0, this.#written), ...this.#here];
  }

  push(parts: readonly Part[]): void {
    for (const part of parts) this.#here.push(part);
    const size = sizeOf(parts);
    this.#size += size;
    this.#sizeHere += size;
  }

  /** All of them are in the history now: `read` gives what it has of the artifact, from the first part on. */
  leave(read: () => readonly Part[]): void {
    if (this.#sizeHere < large) return;
    this.#written += this.#here.length;
    this.#read = read;
    this.#here = [];
    this.#sizeHere = 0;
  }

  /** The artifact as it is now; parts that are not here are read when somebody looks at them. */
  under(head: Omit<Artifact, 'parts'>): Artifact {
    if (this.#written === 0) return { ...head, parts: this.all };
    const [read, written, here] = [this.#read, this.#written, [...this.#here]];
    let parts: Part[] | undefined;
    return {
      ...head,
      get parts() {
        return (parts ??= [...read().slice(0, written), ...here]);
      },
    };
  }
}

export const sizeOf = (parts: readonly Part[]): number => parts.reduce((size, part) => size + lengthOf(part), 0);

function lengthOf(part: Part): number {
  if ('text' in part) return part.text.length;
  if ('raw' in part) return part.raw.length;
  if ('url' in part) return part.url.length;
  const { data } = part;
  if (!isObjectOrArray(data)) return roughLength(data, large);
  const known = lengths.get(data) ?? roughLength(data, large);
  lengths.set(data, known);
  return known;
}

/** Of data: going through very many members takes a while each time. */
const lengths = new WeakMap<object, number>();

/** About as long as the JSON of a value, the same for the same; no more than `enough` is looked at. */
export function roughLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isObjectOrArray(value)) return 4;
  let length = 2;
  for (const name in value) {
    if (length >= enough) break;
    length +=
      (Array.isArray(value) ? 1 : name.length + 4) + roughLength((value as Readonly<Record<string, unknown>>)[name], enough - length);
  }
  return length;
}
