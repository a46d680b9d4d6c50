import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { confirmOrigin, confirmOrigins, foreignOriginOf } = await import('../../../src/workbench/agentsView/foreignOrigin.ts');
const { ForeignOriginProblem } = await import('../../../src/client/http/origin.ts');

suite('origins that a card leads to', () => {
  let restore: (() => void)[];
  let asked: string[];
  let answer: string | undefined;
  let agents: Record<string, { readonly url: string; readonly origins?: readonly string[] }>;
  setup(() => {
    [asked, answer, agents] = [[], undefined, { Ann: { url: 'https://a.example/', origins: ['https://b.example'] } }];
    restore = [
      inPlaceOf('window', {
        showWarningMessage: async (
          question: string,
          { modal, detail }: { readonly modal: boolean; readonly detail: string },
          ...buttons: readonly string[]
        ) => {
          assert.ok(modal);
          asked.push(`${question} ${detail} [${buttons.join(', ')}]`);
          return answer;
        },
      }),
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          inspect: () => ({ globalValue: agents }),
          update: async (_: string, value: typeof agents) => {
            agents = value;
          },
        }),
      }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  /** An agent whose card has these interfaces; those of the first two origins are trusted. */
  const agentOf = (name: string, ...urls: readonly (string | { readonly unspoken: string })[]): never =>
    ({
      name,
      trusts: ({ origin }: URL) => ['https://a.example', 'https://b.example'].includes(origin),
      interfaces: {
        offered: urls.map(url =>
          typeof url === 'string' ? { isSupported: true, interface: { url } } : { spoken: false, interface: { url: url.unspoken } },
        ),
      },
    }) as never;
  const card = [
    'https://a.example/rpc',
    'https://b.example/',
    'https://c.example/1',
    'https://c.example/2',
    'https://d.example:444/',
    { unspoken: 'soap://e.example' },
  ] as const;

  test('are asked about together, each once, and no others', async () => {
    await confirmOrigins(agentOf('Ann', ...card));
    assert.equal(asked.length, 1);
    assert.match(
      asked[0]!,
      /^Interfaces of "Ann" are at other addresses\. Allow them\? https:\/\/c\.example\nhttps:\/\/d\.example:444\n.*headers.* \[Allow, Leave Them Out\]$/,
    );
  });

  test('are remembered where the agent is defined once they are allowed', async () => {
    answer = 'Allow';
    assert.equal(await confirmOrigins(agentOf('Ann', ...card)), true);
    assert.deepEqual(agents, {
      Ann: { url: 'https://a.example/', origins: ['https://b.example', 'https://c.example', 'https://d.example:444'] },
    });
  });

  test('are left out where the person says so, and nothing is remembered', async () => {
    answer = 'Leave Them Out';
    assert.equal(await confirmOrigins(agentOf('Ann', ...card)), true);
    assert.deepEqual(agents['Ann']?.origins, ['https://b.example']);
  });

  test('stop all of it where the person closes the question', async () => {
    assert.equal(await confirmOrigins(agentOf('Ann', ...card)), false);
    assert.deepEqual(agents['Ann']?.origins, ['https://b.example']);
  });

  test('are not asked about where all are trusted, or where the answer could not be kept', async () => {
    assert.equal(
      await confirmOrigins(agentOf('Ann', 'https://a.example/', 'https://b.example/x', { unspoken: 'https://c.example/' })),
      true,
    );
    assert.equal(await confirmOrigins(agentOf('Nobody', ...card)), true);
    assert.deepEqual(asked, []);
  });

  test('one alone is allowed by the button and by nothing else', async () => {
    for (const [said, allowed] of [
      ['Allow', true],
      [undefined, false],
      ['', false],
    ] as const) {
      answer = said;
      assert.equal(await confirmOrigin('Ann', 'https://c.example'), allowed, String(said));
    }
    assert.match(asked[0]!, /^The card of "Ann" sends requests to https:\/\/c\.example\. Allow it\?/);
  });

  test('are read of the problem that is about them alone', () => {
    assert.equal(foreignOriginOf(new ForeignOriginProblem('https://c.example', 'https://a.example')), 'https://c.example');
    for (const other of [new Error('x'), Object.assign(new Error('x'), { code: 'foreign-origin', origin: 'https://c.example' }), undefined])
      assert.equal(foreignOriginOf(other), undefined);
  });
});
