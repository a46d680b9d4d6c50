import * as z from 'zod';
import type { StopOutcome } from '../model/run/cancellation.ts';
import { isInterrupted, taskStates } from '../protocol/message/taskState.ts';
import { sentence } from '../protocol/problem.ts';
import { mayActAt } from './mayAct.ts';
import { refusal } from './refusal.ts';
import { type Section } from './result.ts';
import { agentNamed, openLine, refuseArchived } from './targets.ts';
import { defineTool } from './tool.ts';
import { transcriptSections } from './transcriptSection.ts';

const Input = z.strictObject({
  agent: z.string().describe('Name of the agent.'),
  task: z.string().describe('Id of a task in the history, from another result.'),
  action: z.enum(['get', 'cancel']).default('get').describe('"cancel" asks the agent to stop the task.'),
});

/** Asks the agent for a task, or to cancel it. */
export const taskTool = defineTool({
  name: 'a2a_task',
  description:
    'Asks an A2A agent for the state of one of its tasks now, and returns that with what came of it; or cancels the task. Use it after an a2a_send that took longer than it waited. To read older conversations without asking the agent use a2a_history.',
  asks: 'The person is asked before a task is canceled.',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: Input,
  work: async ({ agent: name, task, action }, world, signal) => {
    if (action === 'get') await world.consent.mayRead();
    const agent = agentNamed(name, world);
    const context = world.contexts.forTask(name, task);
    if (context === undefined) {
      refuseArchived(world.archive?.forTask(name, task));
      throw refusal(
        sentence('The history has no such task of this agent.'),
        sentence('Use the id of a task from a result of a2a_send or a2a_history.'),
      );
    }
    const sections: Section[] = [];
    if (action === 'cancel') {
      await mayActAt(agent, { kind: 'cancel', payload: task }, world, signal);
      world.show({ agent: name, context: context.key });
      sections.push(canceled[await context.cancelTask(task)]);
    } else await context.refreshTask(task);
    const state = context.taskState(task);
    const { items } = context.entriesOfTask(task);
    return [
      ...sections,
      [`Context: ${context.key}`, ...openLine({ agent: name, context: context.key }, world)].join('\n'),
      ...(state === undefined ? [] : [`State of the task: ${taskStates[state].label}.`]),
      ...(state !== undefined && isInterrupted(state)
        ? [`It waits for an answer: a2a_send with "context": "${context.key}" and "task".`]
        : []),
      ...transcriptSections(context, items, false, world),
    ];
  },
});

const canceled: Readonly<Record<StopOutcome, string>> = {
  canceled: 'The task was canceled.',
  over: 'The task was over before it could be canceled.',
  'not-cancelable': 'The agent refused to cancel the task.',
  'not-sent': 'The request to cancel the task was not sent: the agent could not be reached.',
  unknown: 'The agent has not confirmed that the task was canceled.',
};
