import * as assert from 'node:assert/strict';
import { readFault } from '../../../src/mock/chosenFault.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { Uri } from '../../support/fakeVscode.ts';
import '../../support/shimmedVscode.ts';

const { ServedCards } = await import('../../../src/workbench/agentCards/servedCards.ts');

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'ahoy' }] };
const call = { binding: 'JSONRPC', version: '1.0', method: 'POST', url: 'http://harbour.example/', headers: [] };
const body = (more: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });
const recording = [
  { format: 'a2a-workbench-recording', version: 1, recordedAt: '2026-01-01T00:00:00.000Z', agent: { name: 'Pier', url: call.url } },
  { fault: 'delay=0.01' },
  { request: 1, at: 0, operation: 'SendMessage', ...call, body: body({ method: 'SendMessage', params: { message } }) },
  { answer: 1, at: 5, status: 200, headers: [], body: body({ result: { message: { ...message, role: 'ROLE_AGENT' } } }) },
  { end: 1, at: 5 },
]
  .map(line => JSON.stringify(line))
  .join('\n');

suite('faults of mock agents', () => {
  for (const [file, text, first] of [
    ['harbour.agent-card.json', JSON.stringify(minimalCard('http://harbour.example/', '1.0')), []],
    ['pier.a2a-recording.jsonl', recording, [{ name: 'delay', value: 0.01 }]],
  ] as const)
    test(`${file} is served with the faults that are chosen`, async () => {
      const folder = await TerminalFolder.make();
      const served = new ServedCards();
      try {
        const document = { uri: Uri.file(`/${file}`), version: 1, languageId: 'json', getText: () => text };
        const name = await served.serve(document as never);
        assert.deepEqual(served.faultsOf(name), first);
        assert.equal(served.faultsOf('Another'), undefined);
        const send = () => folder.run(['send', served.agents[name]!.url, 'ahoy']);
        assert.equal((await send()).out.trim(), 'ahoy');
        await served.chooseFaults(name, [readFault('status=429')]);
        assert.match((await send()).err, /HTTP 429/);
        await served.chooseFaults(name, []);
        assert.equal((await send()).out.trim(), 'ahoy');
      } finally {
        served.dispose();
        await folder.remove();
      }
    });
});
