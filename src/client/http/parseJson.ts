import { exactJson } from '../../protocol/json/exactJson.ts';
import { holdsMany, maxValues } from '../../protocol/json/valueCount.ts';
import { Problem, sentence } from '../../protocol/problem.ts';

export const askForLess = sentence('Ask the agent for less at once, or for large content as a file.');

/**
 * Like `exactJson`, but undefined for invalid JSON.
 * @throws Problem `too-large` for more than 200,000 values
 */
export function parseJson(text: string): unknown {
  requireFewValues(text);
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

/** @throws Problem `too-large` for a text with more than 200,000 JSON values */
export function requireFewValues(text: string): void {
  if (holdsMany(text)) throw tooManyValues();
}

function tooManyValues(): Problem {
  return new Problem('too-large', sentence('A message exceeds the limit of {0} values.', maxValues), {
    nextStep: askForLess,
  });
}
