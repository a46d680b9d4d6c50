import { setTimeout } from 'node:timers/promises';
import type { AgentClient } from '../client/agentClient.ts';
import { Backoff } from '../model/backoff.ts';
import type { Task } from '../protocol/task.ts';
import { isActive } from '../protocol/taskState.ts';
import type { Terminal } from './terminal.ts';

/** The task each time it has changed, asked for again and again (GetTask) until it is over or waits for something. */
export async function* pollTask({ signal, log }: Terminal, client: AgentClient, id: string): AsyncGenerator<Task> {
  const pause = new Backoff({ firstMs: 500, longestMs: 5000 });
  let shown = '';
  for (;;) {
    const { result: task } = await client.call('GetTask', { id }, { signal, log });
    const now = JSON.stringify(task);
    if (now !== shown) {
      if (shown !== '') pause.reset();
      shown = now;
      yield task;
    }
    if (!isActive(task.status.state)) return;
    // Nothing else keeps the process alive meanwhile.
    await setTimeout(pause.next(), undefined, { signal });
  }
}
