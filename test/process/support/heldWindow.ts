import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { openStore } from '../../../src/store/openStore.ts';

/** What the window says of itself. */
export type HeldWindowWord =
  | { readonly kind: 'key'; readonly key: string }
  /** So many updates were told since the last time, and the store waits or not. */
  | { readonly kind: 'told'; readonly updates: number }
  | { readonly kind: 'waits'; readonly waits: boolean }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'done'; readonly problem: string | undefined }
  /** Longest pause of the event loop, and of one beside it that has nothing to do; in milliseconds. */
  | { readonly kind: 'stalls'; readonly main: number; readonly beside: number };

/**
 * A window in a process of its own that sends a message and measures how long its event loop stands still: from `begin` until `end`, as its parent
 * says. `send` sends another message. Arguments: history, the agent's address, `stubborn` for one that waits for the lock on the spot.
 */
const delay = monitorEventLoopDelay({ resolution: 2 });
const measured = (): number => {
  delay.disable();
  return delay.max / 1e6;
};
const measure = (): void => {
  delay.reset();
  delay.enable();
};

if (isMainThread) main();
else parentPort?.on('message', what => (what === 'begin' ? measure() : parentPort?.postMessage(measured())));

function main(): void {
  const [path = '', url = '', how] = process.argv.slice(2);
  const say = (word: HeldWindowWord): void => void process.send?.(word);
  const onError = (error: unknown): void => say({ kind: 'error', error: String(error) });
  const beside = new Worker(import.meta.filename);
  const agents = new Agents({ http: new Http({ loadObserver }), onError });
  agents.configure({ Ann: { url } });
  const contexts = new AgentContexts({
    store: openStore(path, how === undefined ? {} : { busyTimeoutMs: 5_000 }),
    agents,
    owner: randomUUID(),
    onError,
  });
  contexts.onDidWait(waits => say({ kind: 'waits', waits }));
  contexts.resume();
  const context = contexts.create('Ann');
  context.onDidUpdate(updates => say({ kind: 'told', updates: updates.length }));
  const send = (text: string): Promise<void> =>
    context
      .patiently(() => context.send({ parts: [{ text }], target: 'new-task' }))
      .then(run => run.done)
      .then(({ problem }) => say({ kind: 'done', problem: problem?.code }), onError);
  say({ kind: 'key', key: context.key });
  process.on('message', what => {
    if (what === 'begin') {
      beside.postMessage('begin');
      measure();
    } else if (what === 'end') {
      const main = measured();
      beside.once('message', (other: number) => say({ kind: 'stalls', main, beside: other }));
      beside.postMessage('end');
    } else if (what === 'close') {
      contexts.dispose();
      process.exit();
    } else void send(String(what));
  });
}
