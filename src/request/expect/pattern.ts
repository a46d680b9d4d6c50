import { createContext, Script, type Context } from 'node:vm';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Longest text that is searched, in UTF-16 code units. */
const maxSearchedLength = 1_000_000;

/** Longest time that one search may take, in milliseconds. */
const maxSearchMs = 250;
const maxAttempts = 4;
/** Longest time that all searches for one answer may take together, in milliseconds. */
const maxTogetherMs = 2_000;
/** Time left of `maxTogetherMs`; undefined outside of `withinSearchTime`. */
let leftMs: number | undefined;

/** Does work whose searches have `maxTogetherMs` together. The first search after that throws `slow-pattern`. */
export function withinSearchTime<Result>(work: () => Result): Result {
  const before = leftMs;
  leftMs = maxTogetherMs;
  try {
    return work();
  } finally {
    leftMs = before;
  }
}

const search = new Script('pattern.test(text)');
let sandbox: Context | undefined;

/**
 * True if a regular expression (flag `u`, plus `flags`) is found in a text. An expression can need exponential time, so it runs under a
 * clock that V8 looks at while it searches; beyond `maxSearchedLength` the text is not searched.
 * @throws Problem `bad-pattern` where the expression is none, `slow-pattern` where it took too long.
 */
export function matches(pattern: string, text: string, flags = ''): boolean {
  const compiled = compile(pattern, flags);
  if (leftMs !== undefined && leftMs <= 0) throw givenUp(pattern, maxTogetherMs);
  const began = performance.now();
  sandbox ??= createContext({});
  Object.assign(sandbox, { pattern: compiled, text: text.slice(0, maxSearchedLength) });
  try {
    return inTime(sandbox);
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw givenUp(pattern, maxSearchMs, cause);
  } finally {
    if (leftMs !== undefined) leftMs -= performance.now() - began;
    Object.assign(sandbox, { pattern: undefined, text: undefined });
  }
}

const givenUp = (pattern: string, ms: number, cause?: unknown): Problem =>
  new Problem('slow-pattern', sentence('The search for /{0}/ was stopped after {1} ms.', pattern, ms), {
    nextStep: sentence('Write the expression so that it can match in one way only; nested repetitions are slow.'),
    cause,
  });

/** V8's clock goes on while a busy machine gives us no processor: a search that was not let run is begun again, a few times. */
function inTime(context: Context): boolean {
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage();
    try {
      return search.runInContext(context, { timeout: maxSearchMs }) as boolean;
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      if (!isTimeout(error) || attempt === maxAttempts || user + system >= (maxSearchMs * 1000) / 2) throw error;
    }
  }
}

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Why an expression is none; undefined where it is one. */
export function patternFault(pattern: string): LocalizedMessage | undefined {
  try {
    compile(pattern, '');
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.sentence;
    throw error;
  }
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch (cause) {
    throw new Problem('bad-pattern', sentence('"{0}" is not a regular expression: {1}', pattern, (cause as Error).message), {
      nextStep: sentence('Write it as in JavaScript, without the slashes; in JSON each backslash is written twice.'),
      cause,
    });
  }
}
