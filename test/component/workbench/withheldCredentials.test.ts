import * as assert from 'node:assert/strict';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { english, inTerminal } from '../../../src/protocol/problem.ts';
import { guardedAgent, type GuardedAgent } from '../../support/auth/guardedAgent.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, says } from '../../support/client/says.ts';
import type { TreeItem } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { signInCommands } = await import('../../../src/workbench/signIn/signInCommands.ts');
const { treeItem } = await import('../../../src/workbench/agentsView/agentTreeItems.ts');
const { tooltip } = await import('../../../src/workbench/agentsView/agentTooltips.ts');

suite('an interface at another origin than the address that the person signed in to', () => {
  const open = new OpenThings();
  let door: GuardedAgent;
  let agents: Agents;
  let signIns: AgentSignIns;
  let all: SignIns;
  /** Buttons that the person presses, in turn; undefined for Escape. */
  let presses: (string | undefined)[];
  let typed: string[];
  /** Questions with their details and buttons. */
  let asked: string[];
  /** Messages that ask for nothing. */
  let told: string[];
  let stored: Record<string, { readonly url: string; readonly origins?: readonly string[] }>;
  let restore: (() => void)[];
  let port: string;
  setup(async () => {
    [presses, typed, asked, told] = [[], [], [], []];
    const behind = await open.agent({
      ListTasks: [{ answer: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } }],
      SendMessage: [{ answer: { message: says('Hi') } }, { answer: { message: says('Hi') } }],
    });
    door = await guardedAgent(behind.url, {
      security: {
        securitySchemes: { token: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Token' } } },
        securityRequirements: [{ schemes: { token: { list: [] } } }],
      },
      challenge: '',
      allows: ({ headers }) => headers['x-api-token'] === 'of-ann',
    });
    ({ port } = new URL(door.url));
    stored = { Door: { url: `http://localhost:${port}/` } };
    const http = open.http();
    const shared = new SharedSignIns();
    all = new SignIns({ http, store: shared.window() });
    signIns = new AgentSignIns({
      isUsed: () => Promise.resolve(shared.text !== undefined),
      load: () => Promise.resolve(all),
      onError: error => assert.fail(String(error)),
    });
    agents = new Agents({ http, signIns });
    agents.configure(stored);
    restore = [
      inPlaceOf('window', {
        showInputBox: async () => typed.shift(),
        showInformationMessage: async (text: string) => void told.push(text),
        showWarningMessage: async (text: string, options?: { readonly detail: string } | string, ...buttons: readonly string[]) => {
          if (typeof options !== 'object') return void told.push([text, ...(options === undefined ? [] : [`[${options}]`])].join(' '));
          asked.push(`${text} ${options.detail} [${buttons.join(', ')}]`);
          return presses.shift();
        },
        withProgress: (_options: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
          work({}, { onCancellationRequested: () => {} }),
      }),
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: () => ({ globalValue: stored }),
          update: async (_: string, value: typeof stored) => agents.configure((stored = value)),
        }),
      }),
    ];
  });
  teardown(async () => {
    for (const back of restore) back();
    agents.dispose();
    await door.close();
    await open.close();
  });

  async function signIn(...given: (string | undefined)[]): Promise<boolean> {
    presses = given;
    const commands = signInCommands({
      agents,
      signIns,
      parts: {
        plan: (card, challenge) => Promise.resolve(signInPlan(card, challenge)),
        redirects: () => assert.fail('no browser is needed'),
        doctor: () => assert.fail('nothing is explained'),
      },
      secrets: { set: () => assert.fail('no passphrase is kept') },
      reports: {} as never,
      meantAgent: () => Promise.resolve(undefined),
      ask: async name => void (await (await agents.get(name)!.connect()).call('ListTasks', {}).catch(() => {})),
    });
    const done = await commands.signIn(agents.get('Door')!);
    assert.deepEqual([presses, typed], [[], []]);
    await signIns.refresh();
    return done;
  }
  const send = async (): Promise<unknown> => (await agents.get('Door')!.connect()).call('SendMessage', asks('hi'));
  const refusal = async (): Promise<UnauthorizedProblem> => {
    try {
      await send();
    } catch (error) {
      if (error instanceof UnauthorizedProblem) return error;
      throw error;
    }
    return assert.fail('the agent took it');
  };
  const row = (): TreeItem & { readonly description: string; readonly contextValue: string } =>
    treeItem({ kind: 'agent', name: 'Door', agent: agents.get('Door')! } as never) as never;
  const tooltipText = (): string =>
    (tooltip({ kind: 'agent', name: 'Door', agent: agents.get('Door')! } as never) as unknown as { readonly value: string }).value;
  const why = (): string =>
    `The credential is for http://localhost:${port}; the interface is at http://127.0.0.1:${port}, so it was not sent.`;

  test('gets no credentials unasked, and the sign-in, the row and the refusal say so', async () => {
    typed = ['of-ann'];
    await signIn(undefined);
    assert.equal(asked.length, 1);
    assert.equal(
      asked[0],
      `Send your credentials for "Door" to http://127.0.0.1:${port}, too? You signed in at http://localhost:${port}, and the agent is asked at this address. ` +
        'Messages, configured headers and credentials then go there. Allow it only if you know it. [Allow]',
    );
    assert.equal(told.length, 1);
    assert.ok(told[0]!.startsWith(why()), told[0]);
    assert.match(row().description, /sign-in not sent/);
    assert.doesNotMatch(row().description, /signed in/);
    assert.match(row().contextValue, /\bforeign\b/);
    assert.match(tooltipText(), /so it was not sent/);
    const problem = await refusal();
    assert.equal(english(problem.sentence), `The agent refuses this request (HTTP 401). ${why()}`);
    assert.match(english(problem.nextStep!), /"Allow Address of Card".*"A2A: Sign In…"/);
    assert.match(inTerminal(problem.nextStep!), new RegExp(`--allow-origin http://127\\.0\\.0\\.1:${port}`));
    assert.equal(door.seen.at(-1)?.headers['x-api-token'], undefined);
    assert.deepEqual(stored['Door'], { url: `http://localhost:${port}/` });
  });

  test('gets them once the person has agreed, also without signing in again', async () => {
    typed = ['of-ann'];
    await signIn(undefined);
    assert.equal(await signIn('Allow'), true);
    assert.ok(asked[1]!.endsWith('[Allow, Sign In Again]'), asked[1]);
    assert.equal(told.at(-1), 'Signed in to "Door".');
    await send();
    assert.match(row().description, /signed in/);
    assert.doesNotMatch(row().contextValue, /\bforeign\b/);
    assert.deepEqual(stored['Door']?.origins, [`http://127.0.0.1:${port}`]);
    assert.equal(agents.get('Door')!.withheld, undefined);
  });

  test('gets them at once where the person agrees when signing in', async () => {
    typed = ['of-ann'];
    assert.equal(await signIn('Allow'), true);
    assert.deepEqual(told, ['Signed in to "Door".']);
    await send();
    assert.equal(door.seen.at(-1)?.headers['x-api-token'], 'of-ann');
  });

  test('gets none where the connection is not encrypted, and that cannot be allowed', async () => {
    typed = ['of-ann'];
    await signIn('Allow');
    const target = new URL('http://agents.example/rpc');
    await all.allow(`http://localhost:${port}/`, target.origin);
    const withheld = await all.of(`http://localhost:${port}/`).withheld(target);
    assert.match(english(withheld!.what), /not encrypted/);
    assert.equal(withheld!.origin, undefined);
    assert.equal(await all.of(`http://localhost:${port}/`).credentialsFor(target), undefined);
  });
});
