import type { ResolvedAgentCard } from '../client/card/agentCardResolver.ts';
import { chooseInterface } from '../client/interfaces/agentInterface.ts';
import type { Trust } from '../client/http/origin.ts';
import { inTerminal, Problem } from '../protocol/problem.ts';
import type { InterfaceSelector } from '../protocol/card/interfaceSelector.ts';
import { reportSignatures, trustedKeysOf } from './cardSignatures.ts';
import { json, oneLine, print, printError, quoted } from './terminal/output.ts';
import { selectionOf, resolve, type Terminal, trustOf, selectorOf } from './terminal/terminal.ts';
import { exitStatus } from './terminal/usage.ts';

export async function card(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const wanted = selectorOf(terminal.values);
  const trusted = trustedKeysOf(terminal.values);
  const resolved = await resolve(terminal, url);
  const { card: found, cardUrl, agentUrl, findings } = resolved;
  const verified = async (): Promise<number> =>
    (await reportSignatures(terminal.http, resolved, trusted)) ? exitStatus.fine : exitStatus.taskFailed;
  if (terminal.values.raw) return Object.keys(trusted).length === 0 ? exitStatus.fine : verified();
  if (terminal.values.json) print(json(found));
  else {
    print(oneLine(`${found.name} ${found.version}`));
    print(`${found.description}\n\nCard: ${cardUrl}`);
    for (const entry of found.supportedInterfaces)
      print(oneLine(`Interface: ${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`));
    print(quoted(`Spoken: ${choice(resolved, wanted, trustOf(terminal.values, wanted, agentUrl))}`));
    for (const skill of found.skills) print(quoted(`Skill: ${skill.name} – ${skill.description}`));
  }
  for (const finding of findings) printError(`${finding.rule} ${finding.pointer || '/'}: ${finding.message}`);
  return verified();
}

/** Which interface would be used and why, or why none can be used. */
function choice(resolved: ResolvedAgentCard, options: InterfaceSelector, trust: Trust): string {
  const { wanted, asker } = selectionOf(options, resolved);
  try {
    return inTerminal(chooseInterface(resolved.card, resolved.cardUrl, wanted, { asker, trust }).reason);
  } catch (error) {
    if (error instanceof Problem) return `none. ${error.message}`;
    throw error;
  }
}
