import { isObjectOrArray, isShallow, maxNesting } from './depth.ts';
import { hint, Problem, sentence } from '../problem.ts';

/**
 * Refuses a value that is nested deeper than `maxNesting`.
 * @throws Problem `nested-too-deeply`
 */
export function requireShallow(value: unknown): void {
  if (!isShallow(value)) throw answerNestedTooDeeply();
}

export function answerNestedTooDeeply(cause?: unknown): Problem {
  return new Problem('nested-too-deeply', sentence("The agent's answer exceeds the limit of {0} nesting levels.", maxNesting), {
    nextStep: hint(
      sentence('Open the exchange to see the raw answer.'),
      '--raw prints the answer as it was on the wire; "a2a run" prints it by itself.',
    ),
    cause,
  });
}

/**
 * The same for JSON from a person: a file, pasted text, an argument.
 * @throws Problem `json-too-deep`
 */
export function requireShallowJson(value: unknown): void {
  if (!isShallow(value)) throw nestedTooDeeply(maxNesting);
}

export function nestedTooDeeply(levels: number): Problem {
  return new Problem('json-too-deep', sentence('The JSON exceeds the limit of {0} nesting levels.', levels), {
    nextStep: sentence('Write it with fewer levels, or send it as a file.'),
  });
}

/**
 * The value, or a copy without what is nested deeper than `maxNesting`. For values such as errors, which should be shown even where they
 * are too deep.
 */
export function limitedDepth(value: unknown): unknown {
  return isShallow(value) ? value : cut(value, maxNesting);
}

function cut(value: unknown, levels: number): unknown {
  if (!isObjectOrArray(value)) return value;
  if (levels === 0) return `… (nested more than ${maxNesting} levels deep)`;
  if (Array.isArray(value)) return value.map(inner => cut(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, levels - 1)]));
}
