import { problemsInContext } from '../../src/request/language/contextProblems.ts';
import { completions } from '../../src/request/language/completions.ts';
import type { LanguageContext } from '../../src/request/language/languageContext.ts';
import { readRequestFile } from '../../src/request/check/readRequestFile.ts';
import { median, tell } from './measure.ts';

// Cost of a keystroke in a request file of 5,000 requests (about 1 MB), compared with JSON.parse of the same text.

const requests = Array.from({ length: 5000 }, (_, index) => ({
  name: `r${index}`,
  ...(index > 0 ? { after: `r${index - 1}` } : {}),
  message: `{{x}} ${'y'.repeat(140)}`,
}));
const text = JSON.stringify({ agent: 'Sailboat', variables: { x: 1 }, requests }, null, 2);
const middle = text.indexOf('{{', text.length / 2) + 2;
const world: LanguageContext = { agents: [], contexts: () => [], tasks: () => [], values: new Map(), secrets: [], result: () => undefined };

const took = (work: () => unknown): number =>
  median(
    Array.from({ length: 11 }, () => {
      const before = performance.now();
      work();
      return performance.now() - before;
    }),
  );

const parse = took(() => JSON.parse(text) as unknown);
for (const [name, work] of Object.entries({
  // An editor reads no more than its bounds; `a2a run` reads all.
  'requests and problems after a keystroke in an editor': () => problemsInContext(readRequestFile(text, { bounded: true }), world),
  'requests and problems of all': () => problemsInContext(readRequestFile(text), world),
  'completion after a keystroke': () => completions(readRequestFile(text), middle, world),
})) {
  const value = took(work);
  tell({ name: `5,000 requests: ${name}`, value, unit: 'ms', against: 'JSON.parse', ratio: value / parse });
}
