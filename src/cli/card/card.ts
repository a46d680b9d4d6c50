import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { chooseInterface } from '../../client/interfaces/agentInterface.ts';
import { cardChanges } from '../../model/agents/cardChanges.ts';
import { extendedCardProblem } from '../../client/card/extendedCardProblem.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import { inTerminal, Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import { isRequired } from '../../protocol/ruleId.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import { reportSignatures, trustedKeysOf } from './cardSignatures.ts';
import { oneLine, quoted } from '../terminal/output.ts';
import { clientOf, noLog, selectionOf, resolve, type Terminal, trustOf, selectorOf } from '../terminal/terminal.ts';
import { exitStatus } from '../terminal/usage.ts';

/** Longest text of a card that is printed, in UTF-16 code units; `--json` has all. */
const maxText = 4_000;
const short = (text: string): string => beginningOf(text, maxText, '…');

export async function card(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { output } = terminal;
  const trusted = trustedKeysOf(terminal);
  const { resolved, differences } =
    terminal.values.extended === true ? await extended(terminal, url) : { resolved: await resolve(terminal, url) };
  const { card: found, cardUrl, findings, source, noCard } = resolved;
  if (noCard !== undefined) throw noCard;
  const verified = async (): Promise<number> =>
    (await reportSignatures(terminal, resolved, trusted)) ? exitStatus.fine : exitStatus.taskFailed;
  if (terminal.values.raw) return Object.keys(trusted).length === 0 ? exitStatus.fine : verified();
  const chosen = choice(resolved, terminal);
  if (terminal.values.json) output.printValue(found);
  else {
    output.print(oneLine(`${short(found.name)} ${short(found.version)}`));
    if (found.description !== '') output.print(quoted(`Description: ${short(found.description)}`));
    output.print(quoted(`Card: ${cardUrl}`));
    if (differences !== undefined)
      output.print(quoted(`Extended card: ${differences.map(inTerminal).join(', ') || 'the same as the public one'}`));
    for (const entry of found.supportedInterfaces)
      output.print(oneLine(`Interface: ${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`));
    output.print(quoted(`Spoken: ${'reason' in chosen ? inTerminal(chosen.reason) : `none. ${chosen.problem.message}`}`));
    for (const { uri, required, description = '' } of found.capabilities.extensions ?? [])
      output.print(
        quoted(`Extension: ${short(uri)}${required === true ? ' (required)' : ''}${description === '' ? '' : ` – ${short(description)}`}`),
      );
    for (const skill of found.skills) output.print(quoted(`Skill: ${short(skill.name)} – ${short(skill.description)}`));
  }
  const { cardFindings } = await loadRules();
  // Signatures have their own lines below.
  const broken = cardFindings(source, cardUrl).filter(({ rule }) => rule.startsWith('CARD-'));
  const problems = [...findings, ...broken];
  for (const finding of problems) output.printError(`${finding.rule} ${finding.pointer || '/'}: ${finding.message}`);
  const status = await verified();
  // A card that can be used all the same is judged by `a2a check`.
  const isBroken = 'problem' in chosen && problems.some(({ rule }) => isRequired(rule));
  return isBroken ? exitStatus.taskFailed : status;
}

interface ExtendedCard {
  /** The public card's, with what is in the extended one instead. */
  readonly resolved: ResolvedAgentCard;
  /** Differences from the public card. */
  readonly differences: readonly LocalizedMessage[];
}

/** The extended card for the current sign-in. Rejects with a `Problem` `no-extended-card`. */
async function extended(terminal: Terminal, url: string): Promise<ExtendedCard> {
  const { signal, log } = terminal;
  const resolved = await resolve({ ...terminal, log: noLog }, url);
  const client = clientOf(terminal, resolved);
  const carried = (await client.credentials()) !== undefined;
  try {
    const { card, source, findings } = await client.extendedCard({ signal, log });
    const differences = cardChanges({ source: resolved.source, verdict: 'unsigned' }, { source, verdict: 'unsigned' });
    return { resolved: { ...resolved, card, source, findings }, differences };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'cancelled') throw error;
    throw extendedCardProblem(error, { declared: resolved.card.capabilities.extendedAgentCard === true, carried });
  }
}

/** The reason for the interface that would be used, or the problem because of which none can be. */
function choice(resolved: ResolvedAgentCard, terminal: Terminal): { readonly reason: LocalizedMessage } | { readonly problem: Problem } {
  const { wanted, source } = selectionOf(terminal.values, resolved);
  const trust = trustOf(terminal, selectorOf(terminal.values), resolved.agentUrl);
  try {
    return { reason: chooseInterface(resolved.card, resolved.cardUrl, wanted, { source, trust }).reason };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}
