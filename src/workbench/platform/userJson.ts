import { parseExactly } from '../../protocol/json/exactJson.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { maxDepth, nestingOf } from '../../request/text/jsonNode.ts';

/**
 * Parses JSON that a person wrote to be sent, keeping every digit of its numbers.
 * @throws Problem `bad-json` if it is not valid JSON or is nested deeper than `maxDepth`
 */
export function parseUserJson(text: string): unknown {
  if (nestingOf(text) > maxDepth) {
    throw new Problem('bad-json', sentence('This JSON is nested more than {0} levels deep.', maxDepth), {
      nextStep: sentence('Correct it, or remove it.'),
    });
  }
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Problem('bad-json', sentence('This is not JSON: {0}', (cause as Error).message), {
      nextStep: sentence('Correct it, or remove it.'),
      cause,
    });
  }
}
