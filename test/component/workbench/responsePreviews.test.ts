import * as assert from 'node:assert/strict';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { type PreviewHost, responsePreviewHost } from '../../support/responsePreviewHost.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');
const { log } = await import('../../../src/workbench/platform/log.ts');

const runOf = (text: string, members: object = {}): RequestRun =>
  ({
    entry: { name: 'tides', index: 0 },
    rows: [],
    running: false,
    task: {
      id: 't',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', name: 'A', parts: [{ text }, { raw: 'AAEC', filename: 'a.png' }] }],
    },
    ...members,
  }) as unknown as RequestRun;

suite("the host of a response's preview", () => {
  let host: PreviewHost;
  teardown(() => host.dispose());
  const parts = (view = host.views.at(-1)) => view?.answers[0]?.contents[0]?.parts;

  test('tells the page nothing before it is ready, then everything, then what is new', async () => {
    const run = runOf('One');
    host = responsePreviewHost(run);
    host.show(run);
    await host.say({ type: 'ready' });
    assert.equal(host.views.length, 1);
    assert.deepEqual(
      parts()?.map(({ is }) => is),
      ['part', 'part'],
    );
    assert.ok(host.views[0]?.strings !== undefined);
    Object.assign(run, runOf('One and two'));
    host.show(run);
    await eventually(() => assert.deepEqual(parts(), [{ is: 'part', part: { text: 'One and two' } }, { is: 'same' }]));
    assert.equal(host.views.at(-1)?.strings, undefined);
    // Loaded anew after it was out of sight: it has nothing.
    host.hide();
    const before = host.views.length;
    host.show(run);
    await host.say({ type: 'ready' });
    assert.deepEqual(
      parts()?.map(({ is }) => is),
      ['part', 'part'],
    );
    // What is new is told later than anything that was to be told before.
    Object.assign(run, runOf('One and two and three'));
    host.show(run);
    await eventually(() => assert.deepEqual(parts(), [{ is: 'part', part: { text: 'One and two and three' } }, { is: 'same' }]));
    assert.equal(host.views.length, before + 2);
  });

  test('another response is told in full, and parts of the one before are gone', async () => {
    host = responsePreviewHost(runOf('One'));
    await host.say({ type: 'ready' });
    const { response } = host.views[0]!;
    await host.say({ type: 'openPart', response, content: 0, part: 1 });
    assert.deepEqual(host.opened, [{ raw: 'AAEC', filename: 'a.png' }]);
    host.show(runOf('One'));
    await eventually(() => assert.notEqual(host.views.at(-1)?.response, response));
    assert.deepEqual(
      parts()?.map(({ is }) => is),
      ['part', 'part'],
    );
    const told: string[] = [];
    const restore = inPlaceOf('window', { showErrorMessage: async (text: string) => void told.push(text) });
    const { warn } = log;
    const warned: unknown[] = [];
    Object.assign(log, { warn: (text: unknown) => void warned.push(text) });
    try {
      for (const place of [
        { response, content: 0, part: 1 },
        { response: response + 1, content: 0, part: 9 },
        { response: response + 1, content: 4, part: 0 },
      ])
        await host.say({ type: 'openPart', ...place });
      assert.deepEqual(
        told,
        Array.from({ length: 3 }, () => 'This response is no longer there.'),
      );
      await host.say({ type: 'openLink', url: 'command:workbench.action.quit' });
      assert.match(told.at(-1) ?? '', /only open web pages and mail addresses/);
      await host.say({ type: 'execute', command: 'x' });
      assert.match(String(warned.at(-1)), /response page sent an invalid message/);
      assert.equal(host.opened.length, 1);
    } finally {
      restore();
      Object.assign(log, { warn });
    }
  });

  test('a link is opened once the person has seen its address', async () => {
    host = responsePreviewHost(runOf('One'));
    await host.say({ type: 'ready' });
    const asked: unknown[] = [];
    const opened: string[] = [];
    let answer: string | undefined;
    const restore = [
      inPlaceOf('window', {
        showWarningMessage: async (_: string, { detail }: { readonly detail: string }) => {
          asked.push(detail);
          return answer;
        },
      }),
      inPlaceOf('env', { openExternal: async (uri: object) => void opened.push(String(uri)) }),
    ];
    try {
      await host.say({ type: 'openLink', url: 'https://a.example/x' });
      answer = 'Open';
      await host.say({ type: 'openLink', url: 'https://b.example/y' });
      assert.deepEqual(asked, ['https://a.example/x', 'https://b.example/y']);
      assert.deepEqual(opened, ['https://b.example/y']);
    } finally {
      for (const each of restore) each();
    }
  });

  test('secrets are masked in what is ours: title, rows and problems', async () => {
    secretsToMask.add('hunter2-preview');
    const problem = new Problem('x', sentence('It says {0}', 'hunter2-preview'), { nextStep: sentence('Look at {0}', 'hunter2-preview') });
    const outcome = { problem };
    host = responsePreviewHost(
      runOf('One', {
        entry: { name: 'to hunter2-preview', index: 0 },
        task: undefined,
        outcome,
        rows: [{ label: 'row hunter2-preview', index: 0, outcome }],
      }),
    );
    await host.say({ type: 'ready' });
    const [view] = host.views;
    assert.match(view?.title ?? '', /^to •+$/);
    assert.match(view?.answers[0]?.row ?? '', /^row •+$/);
    assert.match(view?.answers[0]?.problem?.nextStep ?? '', /^Look at •+$/);
    assert.doesNotMatch(host.told(), /hunter2-preview/);
  });
});
