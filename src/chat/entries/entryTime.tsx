import type { JSX } from 'preact';
import type { Entry } from '../../protocol/message/transcript.ts';
import { clockTime, exactTime } from '../text/measures.ts';
import { language } from '../panel/panelContext.ts';

/** The time of an entry; nothing where it is unknown. */
export function EntryTime({ entry }: { readonly entry: Entry }): JSX.Element | null {
  if (entry.untimed) return null;
  return <time title={exactTime(entry.at, language())}>{clockTime(entry.at, language())}</time>;
}

/** The time with seconds, for a tooltip; undefined where it is unknown. */
export const exactTimeOf = ({ at, untimed }: Pick<Entry, 'at' | 'untimed'>): string | undefined =>
  untimed ? undefined : exactTime(at, language());
