import type { ShownState } from '../../protocol/message/taskState.ts';
import { fold, termsOf } from '../search/searchText.ts';
import { namesText, type NamesRow } from '../search/indexing.ts';

/** What a list is narrowed down to; everything where nothing is said. */
export interface ListFilter {
  /** Name of an agent. */
  readonly agent?: string;
  /** Tasks in one of these states; contexts with such a task. */
  readonly states?: readonly ShownState[];
  /** Words and parts of words in titles and in the agent's ids, as in a search; a context also goes by the names of its tasks. */
  readonly text?: string;
  /** Last changed, in milliseconds since the epoch: from `since` on, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** Only what tests made, or only what they did not make. */
  readonly testRuns?: boolean;
}

/** Longest text of a filter, in UTF-16 code units; what comes behind it is not looked at. */
const longestText = 200;
/** So many candidates are fetched and sorted; of more, a page is soon full by looking at the rows in their order. */
export const fewRows = 2000;

/** Of the column `test_run`: the least and the greatest that fit. */
export const testRange = ({ testRuns }: ListFilter): readonly [least: number, greatest: number] =>
  (testRuns === undefined ? [0, 1] : testRuns ? [1, 1] : [0, 0]);

/** Folded terms of the filter's text. */
export const filterTerms = ({ text = '' }: ListFilter): readonly string[] => termsOf(text.slice(0, longestText));

export function namesHave(row: NamesRow, terms: readonly string[]): boolean {
  const folded = fold(namesText(row));
  return terms.every(term => folded.includes(term));
}
