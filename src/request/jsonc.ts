import { parse, type ParseError } from 'jsonc-parser';

/** The value of JSON with comments and trailing commas, as far as it can be read; undefined for an empty text. */
export function readJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  return parse(text, errors, { allowTrailingComma: true }) as unknown;
}
