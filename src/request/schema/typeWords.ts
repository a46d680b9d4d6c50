import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

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
