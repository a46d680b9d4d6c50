import { scriptedAgent } from '../../src/mock/scriptedAgent.ts';

// An agent whose tasks complete at once, in a process of its own, so that only its client is measured. Sends its address to the parent
// process
// and ends with it.

let count = 0;
const task = () => ({
  id: `t${(count += 1)}`,
  contextId: `c${count}`,
  status: { state: 'TASK_STATE_COMPLETED' as const, timestamp: new Date(0).toISOString() },
});
const agent = scriptedAgent({
  version: '1.0',
  script: { SendMessage: () => [{ answer: { task: task() } }], SendStreamingMessage: () => [{ event: { task: task() } }] },
});
await agent.start();
process.send?.(agent.url);
process.once('disconnect', () => process.exit());
