import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { exampleOf, inputSchemaOf, requiredMembers } from '../../schema/forms/inputSchema.ts';
import type { SendMessageParams } from '../../protocol/message/operations.ts';
import { english, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { schemaFaults } from '../../schema/forms/schemaFaults.ts';
import { taskInputOf } from '../../protocol/versions/taskRest/readTaskRest.ts';

/**
 * The type of the task that a message starts, from the first of these that exists: `type` in the message's metadata, `type` in the
 * request's metadata, the id of the card's first skill, the agent's name in lower case without "agent" (`ExpenseAgent`: `expense`).
 */
export function taskTypeOf({ message, metadata }: SendMessageParams, { skills, name }: Pick<AgentCard, 'skills' | 'name'>): string {
  const type = [message.metadata?.['type'], metadata?.['type'], skills[0]?.id].find(
    candidate => typeof candidate === 'string' && candidate !== '',
  );
  if (typeof type === 'string') return type;
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !/^agent$/i.test(word));
  return words.join('_').toLowerCase() || 'task';
}

/**
 * Adds the task type to a message and checks its data against the card's `schema.input`, unless `unchecked` is set.
 * @throws Problem `no-input` where the message has no object of data; `input-refused` where it does not match `schema.input`
 */
export function checkedTask(params: SendMessageParams, card: AgentCard, unchecked = false): SendMessageParams {
  const { message } = params;
  const schema = inputSchemaOf(card);
  const input = taskInputOf(message);
  if (input === undefined && schema !== undefined) throw noInput(schema);
  const faults = input === undefined || schema === undefined || unchecked ? [] : schemaFaults(schema, input);
  if (faults.length > 0) {
    const lines = faults.map(({ pointer, what }): LocalizedMessage => ({ template: '{0} {1}', args: [pointer || '/', what] }));
    throw new Problem('input-refused', sentence('The agent does not accept this data: {0}', lines[0]!), {
      nextStep: sentence('Correct the data. The agent card says under schema.input what the agent accepts.'),
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
      ? sentence('The agent expects a data object, but the message has none.')
      : sentence('The agent expects a data object with {0}, but the message has none.', names.join(', ')),
    { nextStep, details },
  );
}
