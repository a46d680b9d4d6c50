import { parentPort } from 'node:worker_threads';
import { startSampleAgents } from './sampleAgents.ts';

/*
 * The sample agents in a worker thread of the extension. Posts `{ agents: [{ name, url }] }` when they are ready and
 * ends on the message 'stop'. A start that fails is the worker's 'error' event.
 */
async function run(): Promise<void> {
  if (parentPort === null) throw new Error('This file is the entry of a worker thread; run main.ts in a terminal.');
  const port = parentPort;
  const { agents, stop } = await startSampleAgents();
  port.on('message', (message: unknown) => {
    if (message !== 'stop') return;
    // An open port keeps the thread alive.
    void stop().then(() => port.close());
  });
  port.postMessage({ agents });
}

// No top-level await: the bundle is CommonJS. A rejection nobody handles is what raises 'error' on the Worker.
void run();
