import { listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The types of JSON in plain words. */
export const typeWords: Readonly<Record<string, LocalizedMessage>> = {
  string: sentence('text'),
  integer: sentence('a whole number'),
  number: sentence('a number'),
  boolean: sentence('true or false'),
  object: sentence('an object'),
  array: sentence('a list'),
  null: sentence('null'),
};

/** Formats `a, b or c`. */
export const anyOfTypes = (types: readonly string[]): LocalizedMessage | string =>
  types
    .map((type): LocalizedMessage | string => typeWords[type] ?? type)
    .reduce((all, one, index) => (index === types.length - 1 ? sentence('{0} or {1}', all, one) : sentence('{0}, {1}', all, one)));

/** Most names that one sentence lists. */
const maxListed = 40;

export const listed = (names: readonly string[]): LocalizedMessage =>
  listOf([...names.slice(0, maxListed), ...(names.length > maxListed ? ['…'] : [])]);
