import { historyLength } from '../model/run/agentStream.ts';
import { TaskPaging } from '../protocol/message/taskPaging.ts';
import { isTerminal, readTaskState, taskStates } from '../protocol/message/taskState.ts';
import { oneLine } from './terminal/output.ts';
import { Printer } from './terminal/printer.ts';
import { connect, type Terminal } from './terminal/terminal.ts';
import { inTerminalContext } from './terminal/terminalContext.ts';
import { exitStatus, taskCommand, UsageError } from './terminal/usage.ts';

export async function getOrCancel(
  terminal: Terminal,
  operation: 'GetTask' | 'CancelTask',
  [url = '', id = '']: readonly string[],
): Promise<number> {
  const { output } = terminal;
  const { result, findings } = await (await connect(terminal, url)).call(
    operation,
    { id, ...(operation === 'GetTask' && { historyLength }) },
    terminal,
  );
  const printer = new Printer(terminal);
  printer.findings(findings);
  if (terminal.values.json) output.printValue(result);
  else printer.task(result);
  const { state } = result.status;
  if (operation === 'CancelTask' && !isTerminal(state))
    output.printError(
      `The agent was asked to cancel the task and has not confirmed it. To see its state: ${taskCommand('get', terminal.typedAgent, id)}`,
    );
  else if (operation === 'CancelTask' && state !== 'TASK_STATE_CANCELED') {
    output.printError(`The task was not canceled: it had already ended (${taskStates[state].label}).`);
    return exitStatus.agent;
  }
  return exitStatus.fine;
}

const endings = {
  empty: 'this one has no tasks',
  known: 'this one has only tasks of earlier pages',
  repeated: 'has named it before',
  full: 'has given a thousand pages',
};

export async function list(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { output, values } = terminal;
  const state = values.status === undefined ? undefined : readTaskState(values.status);
  if (values.status !== undefined && state === undefined) throw new UsageError(`${values.status} is not a task state.`);
  const client = await connect(terminal, url);
  const printer = new Printer(terminal);
  const paging = new TaskPaging();
  const listed = new Set<string>();
  /** Tasks of another state or context than asked for. */
  let others = 0;
  let pageToken: string | undefined;
  do {
    const { result, findings } = await client.call(
      'ListTasks',
      {
        ...(values.context !== undefined && { contextId: values.context }),
        ...(state !== undefined && { status: state }),
        ...(pageToken !== undefined && { pageToken }),
      },
      terminal,
    );
    printer.findings(findings);
    for (const task of result.tasks) {
      if (
        (state !== undefined && task.status.state !== state) ||
        (values.context !== undefined && (task.contextId ?? values.context) !== values.context)
      ) {
        others++;
        continue;
      }
      // Pages that overlap list a task twice.
      if (listed.has(task.id)) continue;
      listed.add(task.id);
      if (values.raw) continue;
      if (values.json) output.printValue(task);
      else output.print(oneLine(`${task.id}  ${taskStates[task.status.state].label}  ${task.status.timestamp ?? ''}`.trimEnd()));
    }
    const change = paging.sizeChange(result);
    if (change !== undefined) printer.findings([change]);
    const cause = paging.cause(result);
    if (cause !== undefined) output.printError(`The agent names one more page, but ${endings[cause]}: the list ends here.`);
    pageToken = paging.next(result);
  } while (pageToken !== undefined);
  if (others > 0 && !values.raw)
    output.printError(
      `The agent does not filter what it lists: ${others === 1 ? 'one task was' : `${others} tasks were`} not asked for and left out.`,
    );
  if (paging.reported !== undefined && paging.reported !== paging.count)
    output.printError(`The agent reports ${paging.reported} tasks; its pages have ${paging.count}.`);
  if (listed.size === 0 && !values.json && !values.raw) output.printError('There are no tasks.');
  return exitStatus.fine;
}

/** Follows a task until it is over or waits. */
export const subscribe = (terminal: Terminal, [url = '', id = '']: readonly string[]): Promise<number> =>
  inTerminalContext(terminal, url, (context, limit) => context.subscribe(id, limit));
