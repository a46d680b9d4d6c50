import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';

const folder = resolve(import.meta.dirname, '../../../examples/workspace');
const read = (name: string): string => readFileSync(resolve(folder, name), 'utf8');

const requests: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'currency.a2a': ['question', 'answer', 'at once', 'small talk'],
  'helsinki.a2a': ['flight', 'hotel', 'snowmobile', 'spa', 'lounge'],
  'life-of-a-task.a2a': ['asked', 'remembered', 'answered', 'closed', 'followed', 'talked'],
  'phrasebook.a2a': ['thanks', 'sound'],
  'raw-json-rpc.a2a': [undefined],
  'sailboat.a2a': ['draw', 'refine', 'night', 'unclear', 'chosen', 'look', 'all'],
  'stories.a2a': ['picture', 'changed', 'nothing there', 'how much', 'converted'],
  'writer.a2a': [undefined],
};

suite('example workspace', () => {
  test('its request files are these', () => {
    assert.deepEqual(globSync('*.a2a', { cwd: folder }).sort(), Object.keys(requests));
  });

  for (const [name, names] of Object.entries(requests)) {
    test(`${name} has no problem`, () => {
      const file = readRequestFile(read(name));
      assert.deepEqual([...file.syntaxErrors, ...file.problems], []);
      assert.deepEqual(
        file.requests.map(request => request.name),
        names,
      );
    });
  }

  test('raw-json-rpc.a2a is sent as 1.0 prints it, without the agent that the file adds', () => {
    const [request] = readRequestFile(read('raw-json-rpc.a2a')).requests;
    const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ['jsonrpc', 'id', 'method', 'params']);
    assert.equal(request?.agent?.value, 'Sailboat');
  });

  test('harbour.agent-card.json is a 1.0 card without a finding', () => {
    const notes: unknown[] = [];
    const card = readAgentCard(JSON.parse(read('harbour.agent-card.json')), (...note) => notes.push(note));
    assert.deepEqual(notes, []);
    assert.deepEqual(
      card.supportedInterfaces.map(face => face.protocolVersion),
      ['1.0', '1.0'],
    );
  });
});
