import type { AgentCard, AgentSkill } from '../../protocol/card/agentCard.ts';
import { isOfMediaType } from '../expect/artifacts.ts';
import { messageOf, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** A card is an agent's words: most skills and examples of one that are taken. */
const mostSkills = 50;
const mostExamples = 5;

/** Requests that try what an agent says it can do: each skill with its own examples. */
export function requestsOfSkills({
  skills,
  defaultInputModes,
}: Pick<AgentCard, 'skills' | 'defaultInputModes'>): readonly Omit<RequestJson, 'agent'>[] {
  const names = new Set<string>();
  return skills.slice(0, mostSkills).flatMap(skill =>
    messagesFor(skill, defaultInputModes).map(message => {
      const name = nameFor(skill.name || skill.id, names, 'skill');
      names.add(name);
      return { name, message };
    }),
  );
}

/** An agent that takes no text of a skill but JSON gets a part to fill in. */
function messagesFor(
  { name, examples = [], inputModes }: AgentSkill,
  defaults: readonly string[],
): readonly NonNullable<RequestJson['message']>[] {
  if (examples.length > 0) return examples.slice(0, mostExamples).map(text => messageOf([{ text }]));
  const taken = inputModes ?? defaults;
  const wantsJson =
    taken.length > 0 &&
    !taken.some(mode => mode === '*/*' || mode.startsWith('text/')) &&
    taken.some(mode => isOfMediaType('application/json', mode));
  return [wantsJson ? [{ data: {} }] : messageOf([{ text: name }])];
}
