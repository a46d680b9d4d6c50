import { json, print, tell } from './output.ts';
import { resolve, type Terminal } from './terminal.ts';
import { status } from './usage.ts';

export async function card(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { card: found, cardUrl, findings } = await resolve(terminal, url);
  if (terminal.values.raw) return status.fine;
  if (terminal.values.json) print(json(found));
  else {
    print(`${found.name} ${found.version}\n${found.description}\n\nCard: ${cardUrl}`);
    for (const entry of found.supportedInterfaces) print(`Interface: ${entry.protocolBinding} ${entry.protocolVersion} ${entry.url}`);
    for (const skill of found.skills) print(`Skill: ${skill.name} – ${skill.description}`);
  }
  for (const finding of findings) tell(`${finding.rule} ${finding.pointer || '/'}: ${finding.message}`);
  return status.fine;
}
