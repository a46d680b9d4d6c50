import type { JSX } from 'preact';
import type { Entry } from '../../protocol/message/transcript.ts';
import { clockTime, elapsed, exactTime } from '../text/measures.ts';
import { t } from '../text/strings.ts';
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
export const exactTimeOf = ({ at, untimed, polled }: Pick<Entry, 'at' | 'untimed' | 'polled'>): string | undefined =>
  untimed ? undefined : polled ? t('{0} or earlier: the agent was asked then', exactTime(at, language())) : exactTime(at, language());

/** The time that a task took, which is an upper bound where its end was learned by asking. */
export const tookText = (ms: number, polled: boolean | undefined): string => (polled ? t('within {0}', elapsed(ms)) : elapsed(ms));
