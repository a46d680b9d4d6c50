import { readTaskState, taskStates } from '../protocol/taskState.ts';
import { follow, polled, streamed } from './follow.ts';
import { json, print } from './output.ts';
import { showTask } from './show.ts';
import { connect, type Terminal } from './terminal.ts';
import { status, UsageError } from './usage.ts';

export async function one(terminal: Terminal, operation: 'GetTask' | 'CancelTask', [url = '', id = '']: readonly string[]): Promise<number> {
  const { result } = await (await connect(terminal, url)).call(operation, { id }, terminal);
  if (terminal.values.json) print(json(result));
  else if (!terminal.values.raw) showTask(result);
  return status.fine;
}

export async function list(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { values } = terminal;
  const state = values.status === undefined ? undefined : readTaskState(values.status);
  if (values.status !== undefined && state === undefined) throw new UsageError(`${values.status} is no task state.`);
  const client = await connect(terminal, url);
  let pageToken: string | undefined;
  do {
    const { result } = await client.call('ListTasks', {
      ...(values.context !== undefined && { contextId: values.context }),
      ...(state !== undefined && { status: state }),
      ...(pageToken !== undefined && { pageToken }),
    }, terminal);
    for (const task of result.tasks) {
      if (values.raw) continue;
      print(values.json ? json(task) : `${task.id}  ${taskStates[task.status.state].label}  ${task.status.timestamp ?? ''}`.trimEnd());
    }
    // An agent that gives the token of this page again would be asked for ever.
    pageToken = result.nextPageToken === pageToken ? undefined : result.nextPageToken || undefined;
  } while (pageToken !== undefined);
  return status.fine;
}

/** Follows a task; one whose agent does not stream is asked for until it is over or waits. */
export async function subscribe(terminal: Terminal, [url = '', id = '']: readonly string[]): Promise<number> {
  const client = await connect(terminal, url);
  const streams = client.card.capabilities.streaming === true;
  return follow(terminal, streams ? streamed(terminal, client, 'SubscribeToTask', { id }) : polled(terminal, client, id));
}
