import type { Finding } from '../../protocol/finding.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { findingLines, type Translate } from './findingLines.ts';

/** A deviation of an agent from the protocol; without `exchangeId` if the exchange is no longer kept. */
export interface Deviation {
  readonly exchangeId?: string;
  readonly findings: readonly Finding[];
}

/** The findings of the exchanges that brought the task's entries, and those recorded for the task itself. */
export function deviationsOf(
  entries: readonly Entry[],
  deviant: readonly { readonly exchangeId: string; readonly findings: readonly Finding[] }[],
  noted: readonly Finding[] = [],
): readonly Deviation[] {
  const exchanges = new Set(entries.map(({ exchangeId }) => exchangeId));
  const own = deviant.filter(({ exchangeId }) => exchanges.has(exchangeId));
  const ofExchanges = new Set(own.flatMap(({ findings }) => findings.map(({ rule, message }) => JSON.stringify([rule, message]))));
  const others = noted.filter(({ rule, message }) => !ofExchanges.has(JSON.stringify([rule, message])));
  return others.length === 0 ? own : [...own, { findings: others }];
}

/** One line for each rule, text and exchange; none begins with an agent's text. */
export const deviationLines = (
  deviations: readonly Deviation[],
  begin: (exchangeId: string | undefined) => string,
  translate: Translate,
): readonly string[] =>
  deviations.flatMap(({ exchangeId, findings }) =>
    findingLines(findings, translate).map(
      ({ rule, title, pointer, message, times }) =>
        `${begin(exchangeId)}${[rule, title, [pointer, message].filter(Boolean).join(' ')].filter(Boolean).join(' · ').replaceAll(/\s+/g, ' ')}${times > 1 ? ` (×${times})` : ''}`,
    ),
  );
