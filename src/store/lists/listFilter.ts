import type { ShownState } from '../../protocol/message/taskState.ts';
import { ContextMaker } from '../../protocol/message/transcript.ts';
import { fold, termsOf } from '../search/searchText.ts';
import { namesText, type NamesRow } from '../search/indexing.ts';

/** The filter of a list; a member that is left out does not filter. */
export interface ListFilter {
  /** Name of an agent. */
  readonly agent?: string;
  /** Tasks in one of these states; contexts with such a task. */
  readonly states?: readonly ShownState[];
  /** Words and parts of words in titles and in the agent's ids, as in a search; a context is also found by the names of its tasks. */
  readonly text?: string;
  /** Last changed, in milliseconds since the epoch: from `since` on, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  readonly madeBy?: readonly ContextMaker[];
}

/** Longest text of a filter, in UTF-16 code units; the rest is ignored. */
const maxTextLength = 200;
/** Up to so many candidates are fetched and sorted; if there are more, reading the rows in their order fills a page sooner. */
export const fewRows = 2000;

/** The filter's makers as the parameter of `instr(?, made_by)`: none is a part of another. */
export const makers = ({ madeBy = ContextMaker.options }: ListFilter): string => madeBy.join();

/** Folded terms of the filter's text. */
export const filterTerms = ({ text = '' }: ListFilter): readonly string[] => termsOf(text.slice(0, maxTextLength));

export function namesHave(row: NamesRow, terms: readonly string[]): boolean {
  const folded = fold(namesText(row));
  return terms.every(term => folded.includes(term));
}
