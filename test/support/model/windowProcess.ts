import { randomUUID } from 'node:crypto';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { openStore } from '../../../src/store/openStore.ts';

/**
 * A window in a process of its own, to be killed: sends one message and tells each update as a line; with the word `resume` it takes up
 * what others have left. Its first line says that it has begun. Arguments: history, address of the agent.
 */
const [path = '', url = '', what = 'send'] = process.argv.slice(2);
const onError = (error: unknown): void => {
  throw error;
};
const agents = new Agents({ http: new Http({ loadObserver }), onError });
agents.configure({ Ann: { url } });
const contexts = new AgentContexts({ store: openStore(path), agents, owner: randomUUID(), onError });
contexts.resume();
if (what === 'send') send();
process.stdout.write('begun\n');

function send(): void {
  const context = contexts.create('Ann');
  context.onDidUpdate(updates => {
    for (const update of updates) process.stdout.write(`${JSON.stringify(update)}\n`);
  });
  context.send({ parts: [{ text: 'Write' }], target: 'new-task' });
}

// Timers of a window keep no process alive.
setInterval(() => {}, 60_000);
