import { scriptedAgent } from '../../src/mock/scriptedAgent.ts';

// An agent whose tasks complete so many milliseconds after they were asked for, by its argument; without one, or with 0, at once. It is a
// process of its own, so that only its client is measured. Sends its address to the parent process and ends with it.

const takes = Number(process.argv[2] ?? 0);
const pause = takes === 0 ? [] : [{ delay: takes }];

let count = 0;
const task = () => ({
  id: `t${(count += 1)}`,
  contextId: `c${count}`,
  status: { state: 'TASK_STATE_COMPLETED' as const, timestamp: new Date(0).toISOString() },
});
const agent = scriptedAgent({
  version: '1.0',
  script: {
    SendMessage: () => [...pause, { answer: { task: task() } }],
    SendStreamingMessage: () => [...pause, { event: { task: task() } }],
  },
});
await agent.start();
process.send?.(agent.url);
process.once('disconnect', () => process.exit());
