import * as assert from 'node:assert/strict';
import type { UsedValue } from '../../../src/request/resolve/usedValues.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RequestSender } = await import('../../../src/workbench/requests/sending/requestSender.ts');
const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');

/** A stand-in that says what was asked of it, whatever that was. */
function noting(name: string, asked: string[]): never {
  return new Proxy(
    {},
    {
      get: (_, member) => () => {
        asked.push(`${name}.${String(member)}`);
        throw new Error('stop here');
      },
    },
  ) as never;
}

suite('RequestSender', () => {
  let restore: () => void = () => {};
  teardown(() => restore());

  const prepare = (asked: string[]): Promise<unknown> => {
    const of = (name: string): never => noting(name, asked);
    return new RequestSender({
      agents: of('agents'),
      sessions: of('sessions'),
      imported: of('imported'),
      secrets: of('secrets'),
      secretOrigins: of('secretOrigins'),
    }).prepare(of('document'));
  };

  test('refuses to send from a workspace that is not trusted, before it reads or asks anything', async () => {
    restore = inPlaceOf('workspace', { isTrusted: false });
    const asked: string[] = [];
    await assert.rejects(prepare(asked), { code: 'untrusted' });
    assert.deepEqual(asked, []);
  });

  test('goes on from a trusted one', async () => {
    restore = inPlaceOf('workspace', { isTrusted: true });
    const asked: string[] = [];
    await assert.rejects(prepare(asked), { message: 'stop here' });
    assert.deepEqual(asked, ['imported.read']);
  });

  suite('asks first', () => {
    let asked: string[];
    let answer: string | undefined;
    let sets: unknown[];
    let others: (() => void)[];
    setup(() => {
      [asked, answer, sets] = [[], undefined, []];
      others = [
        inPlaceOf('window', {
          showWarningMessage: async (question: string, { modal }: { readonly modal: boolean }) => {
            assert.ok(modal);
            asked.push(question);
            return answer;
          },
        }),
        inPlaceOf('workspace', {
          isTrusted: true,
          getWorkspaceFolder: () => undefined,
          getConfiguration: () => ({
            inspect: () => ({ globalValue: { Ann: { url: 'http://127.0.0.1:1/' } } }),
            update: async (_: string, value: unknown) => void sets.push(value),
          }),
        }),
      ];
    });
    teardown(() => others.forEach(back => back()));

    const extension = { uri: 'https://a.example/ext', required: true, on: false, declared: true };
    const prepared = (production: boolean, extensions: readonly object[] = [], given?: object) => {
      const ann = { name: 'Ann', card: {}, extensions };
      const text = '{ "agent": "Ann", "requests": [{ "name": "one", "message": "x" }] }';
      const document = { uri: { scheme: 'file', fsPath: '/nowhere/x.a2a' }, version: 1, getText: () => text };
      return new RequestSender({
        agents: { get: (name: string) => (name === 'Ann' ? ann : undefined) },
        sessions: { of: () => ({ agent: undefined, agents: { known: () => ann } }) },
        imported: {
          read: async () => ({ environment: { name: 'live', production, values: new Map() }, file: readRequestFile(text) }),
        },
        secrets: {},
        secretOrigins: {},
      } as never).prepare(document as never, undefined, given as never);
    };

    test('in an environment that is marked as production, and a no sends nothing', async () => {
      assert.equal(await prepared(true), undefined);
      assert.deepEqual(asked, ['Send in the environment "live"? It is marked as production.']);
      answer = 'Send';
      assert.equal((await prepared(true))?.entries.length, 1);
    });

    test('for a language model consent comes before everything else that is asked', async () => {
      const consented: unknown[] = [];
      const sending = prepared(true, [extension], {
        consent: async (entries: readonly { readonly name?: string }[], _: unknown, { production }: { readonly production: boolean }) => {
          consented.push(...entries.map(({ name }) => name), production, [...asked]);
          throw new Error('no');
        },
      });
      await assert.rejects(sending, { message: 'no' });
      assert.deepEqual(consented, ['one', true, []]);
      assert.deepEqual(asked, []);
    });

    test('nothing in any other', async () => {
      assert.equal((await prepared(false))?.entries.length, 1);
      assert.deepEqual(asked, []);
    });

    test('where the agent requires extensions that are off, and a no sends nothing', async () => {
      assert.equal(await prepared(true, [extension]), undefined);
      assert.deepEqual(asked, ['"Ann" requires extensions that are off.']);
      answer = 'Send Anyway';
      assert.notEqual(await prepared(false, [extension]), undefined);
      assert.deepEqual(sets, []);
      answer = 'Turn On and Send';
      assert.notEqual(await prepared(false, [extension]), undefined);
      assert.deepEqual(sets, [{ Ann: { url: 'http://127.0.0.1:1/', extensions: [extension.uri] } }]);
    });

    test('a request that is marked so, and only the button sends it', async () => {
      const { entries, options } = (await prepared(false))!;
      for (const [said, sends] of [
        [undefined, false],
        ['', false],
        ['Send', true],
      ] as const) {
        answer = said;
        assert.equal(await options.confirm?.({ entry: entries[0]!, question: undefined } as never), sends);
      }
      assert.deepEqual(new Set(asked), new Set(['Send "one"?']));
    });

    test('a secret that is drawn is shown nowhere from then on; the name of an agent and what is no secret are', async () => {
      const { options } = (await prepared(false))!;
      const draws = [
        { kind: 'secret', value: 'canary-of-a-draw' },
        { kind: 'secret', value: 'Ann' },
        { kind: 'prompt', value: 'words-of-a-person' },
      ];
      for (const draw of draws) options.onDraw?.(draw as unknown as UsedValue);
      assert.equal(secretsToMask.mask('canary-of-a-draw Ann words-of-a-person'), '•••••• Ann words-of-a-person');
    });
  });
});
