import { createScanner, type SyntaxKind } from 'jsonc-parser';

// jsonc-parser declares these as a const enum, which a compiler that only strips types cannot inline.
export const tokenKind = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  nullWord: 7,
  trueWord: 8,
  falseWord: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
} as const satisfies Record<string, SyntaxKind>;

const endOfFile: SyntaxKind = 17;

/** A token of JSON with comments; white space and comments are tokens, too. */
export interface JsonToken {
  /** One of `tokenKind`, or what is no token of JSON. */
  readonly kind: number;
  readonly start: number;
  readonly end: number;
}

export function* jsonTokens(text: string): Generator<JsonToken, void> {
  const scanner = createScanner(text, false);
  for (let kind: number = scanner.scan(); kind !== endOfFile; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    yield { kind, start, end: start + scanner.getTokenLength() };
  }
}

export const isSpace = ({ kind }: JsonToken): boolean => kind === tokenKind.space || kind === tokenKind.lineBreak;
export const isComment = ({ kind }: JsonToken): boolean => kind === tokenKind.lineComment || kind === tokenKind.blockComment;
export const opens = ({ kind }: JsonToken): boolean => kind === tokenKind.openBrace || kind === tokenKind.openBracket;
export const closes = ({ kind }: JsonToken): boolean => kind === tokenKind.closeBrace || kind === tokenKind.closeBracket;
