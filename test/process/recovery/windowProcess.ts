import { randomUUID } from 'node:crypto';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { openStore } from '../../../src/store/openStore.ts';

/**
 * A window in a process of its own, to be killed: sends one message and tells each update, committed before, as a line. Arguments:
 * history, the setting `a2a.agents` as JSON, the agent's name, the message.
 */
const [path = '', settings = '', name = '', text = ''] = process.argv.slice(2);
const onError = (error: unknown): void => {
  throw error;
};
const agents = new Agents({ http: new Http({ loadObserver }), onError });
agents.configure(JSON.parse(settings) as Parameters<Agents['configure']>[0]);
const contexts = new AgentContexts({ store: openStore(path), agents, owner: randomUUID(), onError });
const context = contexts.create(name);
process.stdout.write(`${JSON.stringify({ key: context.key })}\n`);
context.onDidUpdate(updates => {
  for (const update of updates) process.stdout.write(`${JSON.stringify(update)}\n`);
});
context.send({ parts: [{ text }], target: 'new-task' });
