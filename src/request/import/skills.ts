import type { AgentCard, AgentSkill } from '../../protocol/card/agentCard.ts';
import { isOfMediaType } from '../expect/artifacts.ts';
import { messageOf, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** Most skills, and most examples of each, that are used: the card is untrusted. */
const maxSkills = 50;
const maxExamples = 5;

/** Requests that try each skill of an agent with its examples. */
export function requestsOfSkills({
  skills,
  defaultInputModes,
}: Pick<AgentCard, 'skills' | 'defaultInputModes'>): readonly Omit<RequestJson, 'agent'>[] {
  const names = new Set<string>();
  return skills.slice(0, maxSkills).flatMap(skill =>
    messagesFor(skill, defaultInputModes).map(message => {
      const name = nameFor(skill.name || skill.id, names, 'skill');
      names.add(name);
      return { name, message };
    }),
  );
}

/** For a skill that accepts JSON but not text, a part to fill in. */
function messagesFor(
  { name, examples = [], inputModes }: AgentSkill,
  defaults: readonly string[],
): readonly NonNullable<RequestJson['message']>[] {
  if (examples.length > 0) return examples.slice(0, maxExamples).map(text => messageOf([{ text }]));
  const taken = inputModes ?? defaults;
  const wantsJson =
    taken.length > 0 &&
    !taken.some(mode => mode === '*/*' || mode.startsWith('text/')) &&
    taken.some(mode => isOfMediaType('application/json', mode));
  return [wantsJson ? [{ data: {} }] : messageOf([{ text: name }])];
}
