import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import type { Run } from '../model/run/run.ts';
import { Part } from '../protocol/message/part.ts';
import type { AssistantCall } from '../protocol/message/transcript.ts';
import { isInterrupted, taskStates } from '../protocol/message/taskState.ts';
import { sentence, type Problem } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { mayActAt } from './mayAct.ts';
import { refusal } from './refusal.ts';
import { untrusted, type Section } from './result.ts';
import { findingFacts, ruleSection } from './ruleFacts.ts';
import { agentNamed, contextOf, openLine, refuseArchived } from './targets.ts';
import { defineTool } from './tool.ts';
import { transcriptSections } from './transcriptSection.ts';
import type { World } from './world.ts';

/** A message to an agent. */
export const SentMessage = z.strictObject({
  agent: z.string().describe('Name of the agent, from a2a_agents.'),
  text: z.string().min(1).optional().describe('The message.'),
  parts: z.array(Part).min(1).optional().describe('The message as A2A parts, instead of "text".'),
  context: z.string().optional().describe('Key of a context to continue. Without it, a new one begins.'),
  task: z.string().optional().describe('Id of a task in that context that waits for this answer. Without it, a new task begins.'),
});
const Input = SentMessage.extend({
  waitSeconds: z.int().min(1).max(300).optional().describe('How long to wait for the answer: 60 if left out. The task goes on after that.'),
});

/** Sends a message, and waits for a while until it is the client's turn again. */
export const sendTool = defineTool({
  name: 'a2a_send',
  description:
    'Sends a message to an A2A agent: a new conversation, the next message of a context, or the answer to a task that waits. Returns what the agent did, with the findings in its answer. If it takes longer than "waitSeconds", the task goes on: look again with a2a_task. To run requests that are kept in a file use a2a_run; to see the bytes, a2a_wire.',
  asks: 'The person is asked before anything is sent.',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: Input,
  work: async ({ waitSeconds: wanted, ...message }, world, signal) => {
    const waitSeconds = wanted ?? world.waitSeconds ?? 60;
    const { context, run } = await sendMessage(message, { tool: 'a2a_send', client: world.client }, world, signal);
    const isDone = await doneWithin(run, waitSeconds, signal);
    return outcome(context, run, isDone ? undefined : waitSeconds, world);
  },
});

/** Sends a message once the person has allowed it. Rejects with a `Problem`. */
export async function sendMessage(
  { agent: name, text, parts, context: key, task }: z.infer<typeof SentMessage>,
  assistant: AssistantCall,
  world: World,
  signal: AbortSignal,
): Promise<{ readonly context: AgentContext; readonly run: Run }> {
  const agent = agentNamed(name, world);
  const message = parts ?? (text === undefined ? [] : [{ text }]);
  const known = key === undefined ? undefined : contextOf(key, world);
  refuseArchived(key === undefined ? undefined : world.archive?.get(key));
  if (known !== undefined && known.agentName !== name) throw wrong(sentence('That context is of another agent.'));
  if (task !== undefined && known?.taskState(task) === undefined)
    throw wrong(sentence('An answer to a task needs the key of the context that has it.'));
  if ((text === undefined) === (parts === undefined)) throw wrong(sentence('A message has either "text" or "parts".'));
  await mayActAt(agent, { kind: 'send', payload: text ?? JSON.stringify(parts, undefined, 2) }, world, signal);
  const { contexts } = world;
  const context = known ?? (await contexts.patiently(() => contexts.create(name)));
  const run = await contexts.patiently(() =>
    context.send({ parts: message, target: task === undefined ? 'new-task' : { taskId: task }, assistant }),
  );
  world.show({ agent: name, context: context.key });
  return { context, run };
}

/** True if it is the client's turn before the time is over; neither the time nor the signal stops the run. */
async function doneWithin(run: Run, seconds: number, signal: AbortSignal): Promise<boolean> {
  const ending = new AbortController();
  const late = sleep(seconds * 1000, false, { signal: AbortSignal.any([signal, ending.signal]) }).catch(() => false);
  try {
    return await Promise.race([run.done.then(() => true), late]);
  } finally {
    ending.abort();
  }
}

async function outcome(context: AgentContext, run: Run, waited: number | undefined, world: World): Promise<readonly Section[]> {
  const { key, agentName } = context;
  const { state, taskId, seq = 0, findings } = run;
  const { items, more } = context.entriesAfter(seq, 200);
  const entries = items.filter(entry => taskId === undefined || entry.taskId === undefined || entry.taskId === taskId);
  return [
    [`Context: ${key}`, ...openLine({ agent: agentName, context: key }, world), `Exchanges: a2a_wire with "context": "${key}"`].join('\n'),
    ...(waited === undefined
      ? [endOf(run)]
      : [
          `After ${waited} seconds the agent still works, and goes on while you do not wait. ${
            taskId === undefined
              ? `The agent has not named a task yet: read it later with a2a_history and "context": "${key}".`
              : 'Look again with a2a_task and the id of the task below.'
          }`,
        ]),
    ...(state !== undefined && isInterrupted(state) ? [`It waits for an answer: a2a_send with "context": "${key}" and "task".`] : []),
    ...(taskId === undefined ? [] : [untrusted(agentName, withoutUndefined({ task: taskId, contextId: context.contextId }))]),
    ...transcriptSections(context, entries, false, world),
    ...(more ? [`There are newer entries: a2a_history with "context": "${key}".`] : []),
    ...(findings.length > 0 ? [untrusted(agentName, findingFacts(findings))] : ['No broken rule was found in these exchanges.']),
    ...(await ruleSection(findings.map(({ rule }) => rule))),
  ];
}

function endOf({ state, result }: Run): string {
  if (state !== undefined) return `State of the task: ${taskStates[state].label}.`;
  return result.message === undefined ? 'There is no answer: the problem is below.' : 'The agent answered with a message.';
}

const wrong = (what: ReturnType<typeof sentence>): Problem => refusal(what, sentence('Correct it and call the tool again.'));
