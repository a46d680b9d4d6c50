import { isObject } from '../../protocol/json.ts';
import { listOf, Problem, sentence } from '../../protocol/problem.ts';

/** Part of a text: literal text, or the name of an environment variable; `expression` is JavaScript that stands for it in a script. */
export type Piece = { readonly text: string } | Hole;
export interface Hole {
  readonly variable: string;
  readonly expression?: string;
}

/**
 * A text with holes: parts that are known only where a copy of a request runs. It is no string, so that no data can look like one. Whatever
 * takes it for an ordinary value, by making a text of it, by walking its members or as JSON, throws the Problem `not-copied`.
 */
export class Pieced {
  readonly #pieces: readonly Piece[];
  readonly #like: unknown;

  /** @param like a value of the same type, where the hole is a whole value of JSON and no text */
  constructor(pieces: readonly Piece[], like?: unknown) {
    this.#pieces = pieces;
    this.#like = like;
    Object.defineProperty(this, 'walked', { enumerable: true, get: () => this.toJSON() });
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get isJson(): boolean {
    return this.#like !== undefined;
  }

  /** A stand-in of the same type, for checks of types. */
  get like(): unknown {
    return this.isJson ? this.#like : this.#pieces.map(piece => ('text' in piece ? piece.text : piece.variable)).join('');
  }

  get length(): number {
    return this.#pieces.reduce((sum, piece) => sum + ('text' in piece ? piece.text : piece.variable).length, 0);
  }

  toJSON(): never {
    throw new Problem('not-copied', sentence('The value of {0} is not known here, so it cannot be converted.', listOf(variablesIn(this))), {
      nextStep: sentence('Use it as it is, without a function around it.'),
    });
  }

  toString(): string {
    return this.toJSON();
  }
}

export type Text = string | Pieced;

/** The pieces of a text; never empty. */
export const piecesOf = (text: Text): readonly Piece[] => (typeof text === 'string' ? [{ text }] : text.pieces);

/** Texts one after the other: a string, if all are. */
export function joined(texts: readonly Text[], separator = ''): Text {
  if (texts.every(text => typeof text === 'string')) return texts.join(separator);
  const pieces: Piece[] = [];
  let pending = '';
  const flush = (): void => {
    if (pending !== '') pieces.push({ text: pending });
    pending = '';
  };
  for (const [index, text] of texts.entries()) {
    if (index > 0) pending += separator;
    for (const piece of piecesOf(text)) {
      if ('text' in piece) pending += piece.text;
      else {
        flush();
        pieces.push(piece);
      }
    }
  }
  flush();
  return new Pieced(pieces);
}

/** A value as text: one that is no text is written as JSON. */
export function textOf(value: unknown): Text {
  if (typeof value === 'string') return value;
  return value instanceof Pieced ? new Pieced(value.pieces) : jsonText(value);
}

/** Like `JSON.stringify(value, null, step)`, with holes in its strings or in place of its values. */
export function jsonText(value: unknown, step = '', indent = ''): Text {
  if (value instanceof Pieced)
    return value.isJson
      ? value
      : joined(['"', ...value.pieces.map(piece => ('text' in piece ? JSON.stringify(piece.text).slice(1, -1) : new Pieced([piece]))), '"']);
  if (variablesIn(value).length === 0) return (JSON.stringify(value, null, step) ?? 'null').replaceAll('\n', `\n${indent}`);
  const inner = indent + step;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Array.isArray(value)
    ? value.map(item => jsonText(item, step, inner))
    : Object.entries(value as object)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => joined([JSON.stringify(name), step === '' ? ':' : ': ', jsonText(member, step, inner)]));
  const line = (at: string): string => (step === '' ? '' : `\n${at}`);
  return joined([open + line(inner), joined(members, `,${line(inner)}`), line(indent) + close]);
}

/** The variables of a value's holes, without duplicates. */
export function variablesIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (at: unknown): void => {
    if (at instanceof Pieced) for (const piece of at.pieces) 'variable' in piece && found.add(piece.variable);
    else if (typeof at === 'object' && at !== null) Object.values(at).forEach(visit);
  };
  visit(value);
  return [...found];
}

/** A copy for checks of types alone: what has holes becomes a value of its type. */
export function withoutHoles(value: unknown): unknown {
  if (value instanceof Pieced) return value.like;
  if (Array.isArray(value)) return value.map(withoutHoles);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutHoles(member)]));
}
