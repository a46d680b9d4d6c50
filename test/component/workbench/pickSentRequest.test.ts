import * as assert from 'node:assert/strict';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { pickSentRequest, sentTitle } = await import('../../../src/workbench/requests/sent/pickSentRequest.ts');

suite('Sent Requests', () => {
  for (const [text, title] of [
    ['{ "name": "trip", "message": "Book it" }', 'trip'],
    ['{ "message": "Book a room in Oslo" }', 'Book a room in Oslo'],
    ['{ "message": ["Look", { "data": {} }] }', 'Look'],
    ['{ "message": [{ "data": {} }] }', 'Request 1'],
    ['{ "method": "GetTask", "params": { "id": "t" } }', 'Request 1'],
    [`{ "message": "${'x'.repeat(70)}" }`, `${'x'.repeat(60)}…`],
  ] as const)
    test(`a row for ${text.slice(0, 50)}`, () => assert.equal(sentTitle(readRequestFile(text).requests[0]!), title));

  test('a row names the agent, and a file that was never saved without a path', async () => {
    const hidden = new EventEmitter<void>();
    const pick = {
      items: [] as readonly { readonly label: string; readonly detail: string }[],
      onDidAccept: () => undefined,
      onDidTriggerItemButton: () => undefined,
      onDidTriggerButton: () => undefined,
      onDidHide: hidden.event,
      show: () => hidden.fire(),
      dispose: () => undefined,
    };
    const back = [
      inPlaceOf('window', { createQuickPick: () => pick }),
      inPlaceOf('workspace', { asRelativePath: ({ path }: { readonly path: string }) => path.replace('/folder/', '') }),
    ];
    const kept = { title: 'Hi', icon: 'pass', status: 'completed', at: Date.now(), length: 0 };
    const all = [
      { ...kept, file: 'untitled:/tmp/a/request-1.a2a', agent: 'Ann' },
      { ...kept, file: Uri.file('/folder/trip.a2a').toString() },
    ];
    try {
      assert.equal(await pickSentRequest({ all: [] } as never, { all, before: () => undefined } as never), undefined);
    } finally {
      for (const each of back) each();
    }
    assert.deepEqual(
      pick.items.map(({ label, detail }) => [label, detail.replace(/ · [^·]*$/, '')]),
      [
        ['$(pass) Hi', 'Ann · request-1.a2a'],
        ['$(pass) Hi', 'trip.a2a'],
      ],
    );
  });
});
