import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RuleVerdict } from '../../src/conformance/suite.ts';
import { scriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { TaskServer } from '../../src/mock/taskServer.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';
import { english } from '../../src/protocol/problem.ts';
import { versionOf } from '../../src/protocol/versions/index.ts';
import { WireRecording } from '../support/client/wireRecording.ts';
import { checkedAt } from '../support/conformance/agent/checked.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';
import { Muted } from './matrix/muted.ts';
import { servers } from './matrix/servers.ts';

const page = resolve(import.meta.dirname, '../../docs/conformance-results.md');
const head = '| server | interface | rule | verdict | clause | what came |\n| --- | --- | --- | --- | --- | --- |\n';
const prompts = {
  task: [{ text: 'draw' }],
  'long-task': [{ text: 'wait' }],
  'input-required': [{ text: 'paint' }],
};

/** What differs each time. */
const steady = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1');

/** The value in the body that the verdict points at, or else the beginning of the body, or the status over gRPC. */
function bytesOf({ response }: Exchange, pointer = ''): string {
  const { body = '', trailers = [], status = 0 } = response ?? {};
  const grpc = trailers.find(([name, value]) => name === 'grpc-status' && value !== '0');
  if (grpc !== undefined) return `grpc-status: ${grpc[1]}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `HTTP ${status}`;
  }
  for (const step of pointer.split('/').slice(1)) value = (value as Record<string, unknown> | undefined)?.[step];
  return steady(JSON.stringify(value) ?? `HTTP ${status}`).slice(0, 110);
}

/** A row for each verdict that accuses the server. */
async function rowsOf(server: string, url: string, more: Parameters<typeof checkedAt>[1] = {}): Promise<string[]> {
  const log = new WireRecording();
  const verdicts = await checkedAt(url, { log, ...more });
  assert.ok(verdicts.filter(({ verdict }) => verdict === 'pass').length > 20, `${server} was hardly asked`);
  const accusing = verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'disputed');
  return accusing.map(each => rowOf(server, each, log));
}

function rowOf(
  server: string,
  { interface: entry, rule, verdict, section, clause, why, exchangeId, pointer }: RuleVerdict,
  log: WireRecording,
): string {
  const exchange = log.exchanges.find(({ id }) => id === exchangeId);
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return [
    '',
    server,
    `${entry.protocolBinding} ${entry.protocolVersion}`,
    rule,
    verdict,
    `[${section}](${clause})`,
    cell(`${steady(english(why))}${exchange === undefined ? '' : ` \`${bytesOf(exchange, pointer)}\``}`),
    '',
  ]
    .join(' | ')
    .trim();
}

suite('verdicts on servers that others wrote', () => {
  const muted = new Muted();

  test('the suite accuses them of what the table says, and of nothing else', async function () {
    // Twelve servers are asked about every rule: 40 s of a processor.
    this.timeout(300_000);
    const rows: string[] = [];
    muted.start();
    // The SDK says of each notification that it was sent.
    const { log, info } = console;
    console.log = () => {};
    console.info = () => {};
    try {
      for (const id of ['sdk1.0', 'sdk0.3'] as const) {
        const agent = await servers[id].start();
        try {
          rows.push(...(await rowsOf(servers[id].title, agent.url, { prompts })));
        } finally {
          await agent.stop();
        }
      }
      const samples = await startSampleAgents({ pace: 0 });
      try {
        for (const [name, url] of Object.entries(samples.urls)) rows.push(...(await rowsOf(`sample ${name}`, url)));
      } finally {
        await samples.stop();
      }
      for (const version of ['1.0', '0.3'] as const) {
        for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
          const tasks = new TaskServer({
            version: versionOf(version)!,
            notifies: () => false,
            onError: error => {
              throw error;
            },
            *work({ taskId, contextId }) {
              const status = { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() } as const;
              yield { statusUpdate: { taskId, contextId, status } };
            },
          });
          const agent = scriptedAgent({ version, binding, script: tasks.script });
          await agent.start();
          try {
            rows.push(...(await rowsOf('mock', agent.url, { prompts })));
          } finally {
            tasks.stop();
            await agent.stop();
          }
        }
      }
    } finally {
      Object.assign(console, { log, info });
      muted.stop();
    }
    const text = readFileSync(page, 'utf8');
    const start = text.indexOf(head);
    assert.notEqual(start, -1, 'the page has no table of verdicts');
    const end = text.indexOf('\n\n', start);
    const table = `${head}${rows.join('\n')}`;
    if (process.env['A2A_WRITE'] === '1') writeFileSync(page, text.slice(0, start) + table + text.slice(end));
    else assert.equal(text.slice(start, end), table);
  });
});
