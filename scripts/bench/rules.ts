import { checkAnswer, checkCard, checkEvent } from '../../src/conformance/rules/passiveObserver.ts';
import { rules } from '../../src/conformance/rules/index.ts';
import type { AnswerView, CardView, EventView } from '../../src/conformance/rules/rule/passiveCheck.ts';
import { ruleIds } from '../../src/protocol/ruleId.ts';
import { median, tell } from './measure.ts';

// What a passive check costs: microseconds of each rule on an event, an answer and a card of 4 KB, the dearest told by name, and of all
// together.

const rounds = 15;
const each = 4_000;
const text = 'x'.repeat(3_700);
const asked = {
  version: '1.0',
  binding: 'JSONRPC',
  request: { method: 'POST', url: 'https://agent.example/', headers: [], body: '' },
  params: { id: 't-1', historyLength: 4 },
} as const;
const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-02T03:04:05.678Z' };
const artifactUpdate = { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a-1', parts: [{ text }] }, append: true };
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: text.slice(0, 800) }] };
const task = { id: 't-1', contextId: 'c-1', status, history: [message, message, message, message] };
const event: EventView = {
  ...asked,
  kind: 'event',
  operation: 'SendStreamingMessage',
  seq: 1,
  result: { artifactUpdate },
  pointer: '/result',
  state: 'TASK_STATE_WORKING',
};
const answer: AnswerView = {
  ...asked,
  kind: 'answer',
  operation: 'GetTask',
  status: 200,
  headers: new Map([['content-type', 'application/json']]),
  json: { jsonrpc: '2.0', id: 1, result: task },
  result: task,
  pointer: '/result',
  error: undefined,
};
const skill = { id: 's', name: 'S', description: text.slice(0, 900), tags: ['s'] };
const card: CardView = {
  kind: 'card',
  version: '1.0',
  card: {
    name: 'A',
    description: 'D',
    version: '1',
    supportedInterfaces: [{ url: 'https://agent.example/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [1, 2, 3, 4].map(number => ({ ...skill, id: `s-${number}` })),
  },
  url: 'https://agent.example/.well-known/agent-card.json',
  headers: new Map(),
};

/** Microseconds of one call. */
function cost(work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const started = process.cpuUsage().user;
    for (let count = 0; count < each; count++) work();
    return (process.cpuUsage().user - started) / each;
  });
  return median(times);
}

const nothing = (): void => {};
for (const [kind, view, all] of [
  ['event', event, () => checkEvent(event, undefined, nothing)],
  ['answer', answer, () => checkAnswer(answer, undefined, nothing)],
  ['card', card, () => checkCard(card, undefined, nothing)],
] as const) {
  const costs = ruleIds.flatMap(id => {
    const check = rules[id].passive?.[kind] as ((view: never, note: () => void) => void) | undefined;
    return check === undefined ? [] : [{ id, value: cost(() => check(view as never, nothing)) }];
  });
  const dearest = costs.toSorted((one, other) => other.value - one.value)[0]!;
  tell({ name: `${dearest.id}, the dearest of ${costs.length} checks on 4 KB of ${kind}`, value: dearest.value, unit: 'µs' });
  tell({ name: `all checks on 4 KB of ${kind}`, value: cost(all), unit: 'µs' });
}
