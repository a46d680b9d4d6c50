import { chooseInterface } from '../client/agentInterface.ts';
import type { AgentCard } from '../protocol/agentCard.ts';
import { english, Problem } from '../protocol/problem.ts';
import type { WantedInterface } from '../protocol/wantedInterface.ts';
import { json, print, tell } from './output.ts';
import { resolve, type Terminal, wantedBy } from './terminal.ts';
import { status } from './usage.ts';

export async function card(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const wanted = wantedBy(terminal.values);
  const { card: found, cardUrl, findings } = await resolve(terminal, url);
  if (terminal.values.raw) return status.fine;
  if (terminal.values.json) print(json(found));
  else {
    print(`${found.name} ${found.version}\n${found.description}\n\nCard: ${cardUrl}`);
    for (const entry of found.supportedInterfaces) print(`Interface: ${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`);
    print(`Spoken: ${choice(found, cardUrl, wanted)}`);
    for (const skill of found.skills) print(`Skill: ${skill.name} – ${skill.description}`);
  }
  for (const finding of findings) tell(`${finding.rule} ${finding.pointer || '/'}: ${finding.message}`);
  return status.fine;
}

/** Which interface would be spoken, and why; or why none. */
function choice(card: AgentCard, cardUrl: string, wanted: WantedInterface): string {
  try {
    return english(chooseInterface(card, cardUrl, wanted, 'options').reason);
  } catch (error) {
    if (error instanceof Problem) return `none. ${error.message}`;
    throw error;
  }
}
