import { TaskPaging } from '../protocol/message/taskPaging.ts';
import { readTaskState, taskStates } from '../protocol/message/taskState.ts';
import { followWithin } from './terminal/commandLimit.ts';
import { oneLine, print, printError, printValue } from './terminal/output.ts';
import { Printer } from './terminal/printer.ts';
import { connect, type Terminal } from './terminal/terminal.ts';
import { exitStatus, UsageError } from './terminal/usage.ts';

export async function getOrCancel(
  terminal: Terminal,
  operation: 'GetTask' | 'CancelTask',
  [url = '', id = '']: readonly string[],
): Promise<number> {
  const { result } = await (await connect(terminal, url)).call(operation, { id }, terminal);
  if (terminal.values.json) printValue(result);
  else if (!terminal.values.raw) {
    const printer = new Printer(terminal);
    printer.showTask(result);
    printer.end();
  }
  return exitStatus.fine;
}

export async function list(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { values } = terminal;
  const state = values.status === undefined ? undefined : readTaskState(values.status);
  if (values.status !== undefined && state === undefined) throw new UsageError(`${values.status} is not a task state.`);
  const client = await connect(terminal, url);
  const paging = new TaskPaging();
  let isEmpty = true;
  /** Tasks of another state or context than asked for. */
  let others = 0;
  let pageToken: string | undefined;
  do {
    const { result } = await client.call(
      'ListTasks',
      {
        ...(values.context !== undefined && { contextId: values.context }),
        ...(state !== undefined && { status: state }),
        ...(pageToken !== undefined && { pageToken }),
      },
      terminal,
    );
    for (const task of result.tasks) {
      if (
        (state !== undefined && task.status.state !== state) ||
        (values.context !== undefined && (task.contextId ?? values.context) !== values.context)
      ) {
        others++;
        continue;
      }
      isEmpty = false;
      if (values.raw) continue;
      if (values.json) printValue(task);
      else print(oneLine(`${task.id}  ${taskStates[task.status.state].label}  ${task.status.timestamp ?? ''}`.trimEnd()));
    }
    pageToken = paging.next(result);
    if (pageToken === undefined && result.nextPageToken !== '')
      printError(
        'The agent names one more page, but repeats itself, has no tasks in this one, or has given a thousand: the list ends here.',
      );
  } while (pageToken !== undefined);
  if (others > 0 && !values.raw)
    printError(
      `The agent does not filter what it lists: ${others === 1 ? 'one task was' : `${others} tasks were`} not asked for and left out.`,
    );
  if (isEmpty && !values.json && !values.raw) printError('There are no tasks.');
  return exitStatus.fine;
}

/** Follows a task; polls it until it ends or waits for input where the agent does not stream. */
export async function subscribe(terminal: Terminal, [url = '', id = '']: readonly string[]): Promise<number> {
  return followWithin(terminal, url, (follow, { card: { capabilities } }) =>
    capabilities.streaming === true ? follow.stream('SubscribeToTask', { id }) : follow.poll(id),
  );
}
