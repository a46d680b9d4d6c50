import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { sendAllRequests } = await import('../../../src/workbench/requests/sending/sendAllRequests.ts');

const text = JSON.stringify({
  agent: 'A',
  requests: [
    { name: 'a', message: 'a' },
    { name: 'b', message: 'b' },
    { name: 'c', message: 'c' },
  ],
});

suite('what is open beside a file while all its requests are sent', () => {
  let restore: () => void;
  let told: string[];
  setup(() => {
    told = [];
    restore = inPlaceOf('window', {
      showErrorMessage: async () => undefined,
      showInformationMessage: async (message: string) => void told.push(message),
    });
  });
  teardown(() => restore());

  /** Sends all three, while `shown` is; `failing` fails, and `during` happens while `b` is sent. */
  async function sent(
    shown: string | undefined,
    {
      failing,
      during,
      skip = false,
    }: { readonly failing?: string; readonly during?: (session: Session) => void; readonly skip?: boolean } = {},
  ): Promise<{ readonly seen: readonly (string | undefined)[]; readonly brought: readonly string[]; readonly shown: string | undefined }> {
    const file = readRequestFile(text);
    const model = new FakeModel();
    const runs = new RequestRuns(model, error => {
      throw error;
    });
    if (shown !== undefined) await runs.send(file.requests.find(({ key }) => key === shown)!, file).done;
    const session: Session = { runs, shown };
    model.answer = (words, context) => {
      seen.push(session.shown);
      if (words === 'b') during?.(session);
      return { task: model.task(words === failing ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED', context) };
    };
    const seen: (string | undefined)[] = [];
    const brought: string[] = [];
    const toSend = skip ? readRequestFile(text.replaceAll('"message"', '"skip":true,"message"')) : file;
    await sendAllRequests({ session, file: toSend, entries: toSend.requests, options: {} } as never, {
      sessions: { changed: () => {} },
      responses: { show: async () => {}, bring: async (_, key) => void brought.push((session.shown = key)) },
      keepEarlier: async () => {},
    });
    assert.notEqual(runs.get(session.shown ?? ''), undefined);
    return { seen, brought, shown: session.shown };
  }
  interface Session {
    readonly runs: RequestRuns;
    shown: string | undefined;
    readonly all?: AbortController;
  }

  test('shows each while it is sent, and then again what was shown', async () => {
    assert.deepEqual(await sent('b'), { seen: ['a', 'b', 'c'], brought: ['b'], shown: 'b' });
    assert.deepEqual(await sent(undefined), { seen: ['a', 'b', 'c'], brought: ['c'], shown: 'c' });
  });
  test('shows what failed in the end', async () => {
    assert.deepEqual(await sent('b', { failing: 'a' }), { seen: ['a', 'b', 'c'], brought: ['a'], shown: 'a' });
  });
  test('stays at what the person chose meanwhile', async () => {
    const during = (session: Session): void => void (session.shown = 'a');
    assert.deepEqual(await sent('c', { failing: 'c', during }), { seen: ['a', 'b', 'a'], brought: [], shown: 'a' });
  });
  test('stays as it is where the file skips every request, which is told', async () => {
    assert.deepEqual(await sent('b', { skip: true }), { seen: [], brought: [], shown: 'b' });
    assert.deepEqual(told, ['Nothing was sent: the file skips each of its requests.']);
  });
  test('shows the last that was sent where the person stops it', async () => {
    const during = ({ all }: Session): void => all?.abort();
    assert.deepEqual(await sent('c', { failing: 'b', during }), { seen: ['a', 'b'], brought: ['b'], shown: 'b' });
  });
});
