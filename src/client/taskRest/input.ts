import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { exampleOf, inputSchemaOf, requiredMembers } from '../../protocol/forms/inputSchema.ts';
import type { SendMessageParams } from '../../protocol/message/operations.ts';
import { english, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { schemaFaults } from '../../protocol/forms/schemaFaults.ts';
import { taskInputOf } from '../../protocol/versions/taskRest/readTaskRest.ts';

/**
 * The type of the task that a message starts, the first there is of: `type` in the message's metadata, `type` in the request's, the id of
 * the card's first skill, the agent's name in lower case without the word agent (`ExpenseAgent`: `expense`).
 */
export function taskTypeOf({ message, metadata }: SendMessageParams, { skills, name }: Pick<AgentCard, 'skills' | 'name'>): string {
  const said = [message.metadata?.['type'], metadata?.['type'], skills[0]?.id].find(type => typeof type === 'string' && type !== '');
  if (typeof said === 'string') return said;
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !/^agent$/i.test(word));
  return words.join('_').toLowerCase() || 'task';
}

/**
 * The message as a task of the agent's: with its type, and with the data that the card asks for, or `unchecked` with what there is.
 * @throws Problem `no-input` where the message has no object of data; `input-refused` where it is not what `schema.input` says.
 */
export function checkedTask(params: SendMessageParams, card: AgentCard, unchecked = false): SendMessageParams {
  const { message } = params;
  const schema = inputSchemaOf(card);
  const input = taskInputOf(message);
  if (input === undefined && schema !== undefined) throw noInput(schema);
  const faults = input === undefined || schema === undefined || unchecked ? [] : schemaFaults(schema, input);
  if (faults.length > 0) {
    const lines = faults.map(({ pointer, what }): LocalizedMessage => ({ template: '{0} {1}', args: [pointer || '/', what] }));
    throw new Problem('input-refused', sentence('The data is not what the agent takes: {0}', lines[0]!), {
      nextStep: sentence('Correct the data. The agent card says under schema.input what the agent takes.'),
      details: lines.map(english).join('\n'),
    });
  }
  return { ...params, message: { ...message, metadata: { ...message.metadata, type: taskTypeOf(params, card) } } };
}

function noInput(schema: Readonly<Record<string, unknown>>): Problem {
  const names = requiredMembers(schema);
  const example = JSON.stringify(exampleOf(schema));
  const nextStep =
    example === '{}'
      ? sentence('Write the message as a JSON object.')
      : sentence('Write the message as a JSON object, such as {0}', example);
  const details = JSON.stringify(schema, null, 2);
  return new Problem(
    'no-input',
    names.length === 0
      ? sentence('The agent takes an object of data, and the message has none.')
      : sentence('The agent takes an object of data with {0}, and the message has none.', names.join(', ')),
    { nextStep, details },
  );
}
