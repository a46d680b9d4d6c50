import type { AgentCard, AgentSkill } from '../../protocol/card/agentCard.ts';
import { isOfMediaType } from '../expect/artifacts.ts';
import { messageOf, type RequestJson } from './requestJson.ts';
import { nameFor } from './requestName.ts';

/** Most skills, and most examples of each, that are used: the card is untrusted. */
const maxSkills = 50;
const maxExamples = 5;

/**
 * Requests that try each skill of an agent with its examples. The first one has an expectation, as an example, that holds for an agent that
 * does what it says.
 */
export function requestsOfSkills({
  skills,
  defaultInputModes,
  defaultOutputModes,
}: Pick<AgentCard, 'skills' | 'defaultInputModes' | 'defaultOutputModes'>): readonly Omit<RequestJson, 'agent'>[] {
  const names = new Set<string>();
  return skills.slice(0, maxSkills).flatMap((skill, skillIndex) =>
    messagesFor(skill, defaultInputModes).map((message, index) => {
      const name = nameFor(skill.name || skill.id, names, 'skill');
      names.add(name);
      const modes = skill.outputModes === undefined || skill.outputModes.length === 0 ? defaultOutputModes : skill.outputModes;
      return { name, message, ...(skillIndex + index === 0 && { expect: answers(modes) }) };
    }),
  );
}

/** That there is an answer: text, where that is what the agent names first; of anything else only its time is known to be limited. */
export const answers = ([mode = 'text/plain']: readonly string[]): NonNullable<RequestJson['expect']> =>
  /^(?:text|\*)(?:\/|$)/i.test(mode) ? { text: { exists: true } } : { totalMs: { lt: 60_000 } };

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
