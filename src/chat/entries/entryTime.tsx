import type { JSX } from 'preact';
import type { Entry } from '../../protocol/message/transcript.ts';
import { clockTime, elapsed, exactTime } from '../text/measures.ts';
import { language } from '../panel/panelContext.ts';
import { useSeconds } from '../widgets/connectionLine.tsx';

/** The time of an entry; nothing where it is unknown. */
export function EntryTime({ entry }: { readonly entry: Entry }): JSX.Element | null {
  if (entry.untimed) return null;
  return <time title={exactTime(entry.at, language())}>{clockTime(entry.at, language())}</time>;
}

/** The time since a moment, in whole seconds, updated once a second. */
export function TimeSince({ at }: { readonly at: number }): JSX.Element {
  useSeconds(true);
  return <span class="muted ticking">{elapsed(Math.floor((Date.now() - at) / 1000) * 1000).replace(/[.,]0/, '')}</span>;
}

/** The time with seconds, for a tooltip; undefined where it is unknown. */
export const exactTimeOf = ({ at, untimed }: Pick<Entry, 'at' | 'untimed'>): string | undefined =>
  untimed ? undefined : exactTime(at, language());
