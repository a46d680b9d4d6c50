import { sentence } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { CutOutcome, CutResult } from './resumeReport.ts';
import type { SeenTask } from './seenTask.ts';

type Seen = Pick<SeenTask, 'state' | 'artifacts' | 'lastMessage'>;
export type Difference = Pick<CutResult, 'outcome' | 'details'>;

/** Longest text of an agent in a sentence, in UTF-16 code units. */
const maxShown = 60;
/** Most work of looking for one text in another, which may take the product of their lengths: beyond, it counts as not in it. */
const maxSearch = 1_000_000_000;

/** The worst counts. */
const order: readonly CutOutcome[] = ['never ended', 'lost', 'repeated', 'differs', 'same'];

/** Compares the task of a client that was cut off with that of one that was not. */
export function compareSeen(whole: Seen, cut: Seen): Difference {
  const differences = [
    ...artifactDifferences(whole, cut),
    textDifference(whole.lastMessage, cut.lastMessage),
    stateDifference(whole, cut),
  ].filter(each => each !== undefined);
  return differences.reduce<Difference>((worst, each) => (order.indexOf(each.outcome) < order.indexOf(worst.outcome) ? each : worst), {
    outcome: 'same',
  });
}

/** The same for agents that answer otherwise each time: their content can be compared with nothing but their own record. */
export function compareShape(whole: Seen, cut: Seen): Difference {
  const missing = whole.artifacts.length - cut.artifacts.length;
  return (
    stateDifference(whole, cut) ??
    (missing === 0
      ? { outcome: 'same' }
      : { outcome: 'differs', details: sentence('{0} artifacts; {1} in the uncut run.', cut.artifacts.length, whole.artifacts.length) })
  );
}

function stateDifference(whole: Seen, cut: Seen): Difference | undefined {
  if (whole.state === cut.state) return undefined;
  return { outcome: 'differs', details: sentence('The task ended in {0}; in the uncut run in {1}.', cut.state ?? '-', whole.state ?? '-') };
}

/** Artifacts are the same by their ids, or by their order where each run has ids of its own. */
function artifactDifferences({ artifacts: whole }: Seen, { artifacts: cut }: Seen): readonly (Difference | undefined)[] {
  const ids = new Set(whole.map(({ id }) => id));
  const ofCut = new Map(cut.map(({ id, text }) => [id, text]));
  // Ids that differ in each run are all the same here.
  const isNamed = ofCut.size === cut.length && ids.size === whole.length && whole.every(({ id }) => ofCut.has(id));
  const pairs = whole.map(({ id, text }, index) => {
    const other = isNamed ? ofCut.get(id) : cut[index]?.text;
    return other === undefined ? lost(text) : textDifference(text, other);
  });
  const texts = new Set(whole.map(({ text }) => text));
  const more = cut.filter(({ id }, index) => (isNamed ? !ids.has(id) : index >= whole.length));
  return [...pairs, ...more.map(({ text }) => (texts.has(text) ? repeated(text) : otherThan('', text)))];
}

const lost = (text: string): Difference => ({ outcome: 'lost', details: sentence('Missing: {0}', quoted(text, maxShown)) });
const repeated = (text: string): Difference => ({ outcome: 'repeated', details: sentence('Twice: {0}', quoted(text, maxShown)) });
const otherThan = (wanted: string, text: string): Difference => ({
  outcome: 'differs',
  details: sentence('{0} instead of {1}', quoted(text, maxShown), quoted(wanted, maxShown)),
});

/** How one text differs from another, by the place from the first difference to the last. */
function textDifference(whole: string, cut: string): Difference | undefined {
  if (whole === cut) return undefined;
  const shorter = Math.min(whole.length, cut.length);
  let start = 0;
  while (start < shorter && whole[start] === cut[start]) start++;
  let end = 0;
  while (end < shorter - start && whole.at(-1 - end) === cut.at(-1 - end)) end++;
  const missing = piece(whole, start, whole.length - end);
  const extra = piece(cut, start, cut.length - end);
  if (isContained(cut, whole)) return lost(missing);
  // In several places it stands between all that there should be.
  if (missing !== '') return isContained(whole, cut) ? repeated(extra) : otherThan(missing, extra);
  // In one place it has to be a text of the agent: as it is there, or from the beginning of a word.
  const again = [extra, cut.slice(start, cut.length - end)].find(text => isIn(whole, text));
  return again === undefined ? otherThan(missing, extra) : repeated(again);
}

/** A piece of a text, moved to the beginning of a word where it is the same there: `two `, not `wo t`, between `one ` and `three`. */
function piece(text: string, start: number, end: number): string {
  let from = start;
  while (from > 0 && end > start && !/\s/.test(text[from - 1]!) && text[from - 1] === text[from - 1 + end - start]) from--;
  return /\s/.test(text[from - 1] ?? ' ') ? text.slice(from, from + end - start) : text.slice(start, end);
}

const isIn = (whole: string, text: string): boolean => whole.length * text.length <= maxSearch && whole.includes(text);

/** True where a text has all characters of another in their order. */
function isContained(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index++) if (whole[index] === part[at]) at++;
  return at === part.length;
}
