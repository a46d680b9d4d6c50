import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ConformancePageMessage, ConformanceView, EvidenceView } from '../../../src/chat/host/conformanceMessages.ts';
import * as parts from '../../../src/conformance/bundle/bundle.ts';
import { RemoteListings } from '../../../src/model/contexts/remoteListings.ts';
import { PushReceiver } from '../../../src/model/notifications/pushReceiver.ts';
import { sentence } from '../../../src/protocol/problem.ts';
import { conformingAgent } from '../../support/conformance/agent/conformingAgent.ts';
import { otherwise } from '../../support/conformance/probeDecoy.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { startWorld, type Window, type World } from '../../support/model/world.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { ShownTree } from '../../support/shownTree.ts';

const { AgentCheck } = await import('../../../src/workbench/conformance/agentCheck.ts');
const { ConformancePages } = await import('../../../src/workbench/conformance/conformancePages.ts');
const { shownEvidence } = await import('../../../src/workbench/conformance/shownEvidence.ts');
const { checkWebhooks } = await import('../../../src/workbench/push/checkWebhooks.ts');

interface Choice {
  readonly label: string;
  readonly detail?: string;
}
/** A list that the person is shown. */
class Pick {
  items: readonly Choice[] = [];
  activeItems: readonly Choice[] = [];
  value = '';
  isOpen = false;
  readonly #typed = new EventEmitter<string>();
  readonly #active = new EventEmitter<readonly Choice[]>();
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly onDidChangeValue = this.#typed.event;
  readonly onDidChangeActive = this.#active.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;

  show(): void {
    this.isOpen = true;
  }

  hide(): void {
    this.isOpen = false;
    this.#hidden.fire();
  }

  dispose(): void {
    this.isOpen = false;
  }

  choose(label: RegExp): void {
    const item = this.items.find(each => label.test(each.label));
    assert.ok(item !== undefined, `${label.source} in ${this.items.map(each => each.label).join(' | ')}`);
    this.activeItems = [item];
    this.#active.fire(this.activeItems);
    this.#accepted.fire();
  }

  type(value: string): void {
    this.value = value;
    this.#typed.fire(value);
  }
}

suite('pages with the conformance of agents', () => {
  let agent: Awaited<ReturnType<typeof conformingAgent>>;
  let world: World;
  let window: Window;
  let receiver: PushReceiver;
  let pages: InstanceType<typeof ConformancePages>;
  let settings: Parameters<Window['agents']['configure']>[0];
  let restore: (() => void)[];
  /** What the person was asked in lists, and what is typed into boxes, in turn. */
  let picks: Pick[];
  let boxes: string[];
  let typed: (string | undefined)[];
  let posted: (ConformanceView | EvidenceView)[];
  let received: EventEmitter<unknown>;
  /** Texts that were sent to the agent. */
  let texts: string[];
  /** How many requests for tasks are answered before the agent falls silent. */
  let answered: number;
  let isBroken: boolean;
  let suggested: string;
  let format: RegExp;

  setup(async () => {
    [picks, boxes, typed, posted, texts, answered, isBroken] = [[], [], [], [], [], Number.POSITIVE_INFINITY, false];
    received = new EventEmitter();
    agent = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'bare',
      card: card => ({ ...card, name: 'Harbour <b>of</b> "Ships"' }),
      script: right => ({
        ...otherwise('GetTask', (request, does) => (answered-- > 0 ? does(request) : [{ stall: true }]))(right),
        ...otherwise('SubscribeToTask', (request, does) =>
          isBroken ? [{ error: { code: -32001, message: '<script>alert(1)</script>' } }] : does(request),
        )(right),
        ...otherwise('SendMessage', (request, does) => {
          texts.push(JSON.stringify(request.params));
          return does(request);
        })(right),
      }),
    });
    world = await startWorld({ version: '1.0', script: {} });
    window = world.open();
    settings = { Harbour: { url: agent.url } };
    window.agents.configure(settings);
    const report = join(dirname(world.path), 'report');
    const disposed = new EventEmitter<void>();
    const view = {
      title: '',
      reveal: () => undefined,
      dispose: () => disposed.fire(),
      onDidDispose: disposed.event,
      webview: {
        options: {},
        cspSource: 'x:',
        html: '',
        asWebviewUri: ({ path }: { readonly path: string }) => path,
        onDidReceiveMessage: (listen: (message: unknown) => Promise<void>) =>
          received.event(message => void listen(message).catch((error: unknown) => assert.fail(String(error)))),
        postMessage: async (message: ConformanceView | EvidenceView) => void posted.push(message),
      },
    };
    restore = [
      inPlaceOf('window', {
        createWebviewPanel: () => view,
        createQuickPick: () => {
          const pick = new Pick();
          picks.push(pick);
          return pick;
        },
        createInputBox: () => {
          const [accepted, hidden] = [new EventEmitter<void>(), new EventEmitter<void>()];
          const box = {
            title: '',
            value: '',
            onDidAccept: accepted.event,
            onDidHide: hidden.event,
            onDidChangeValue: new EventEmitter<string>().event,
            show: () => {
              boxes.push(`${box.title}: ${box.value}`);
              const text = typed.shift();
              if (text === undefined) return hidden.fire();
              box.value = text;
              accepted.fire();
            },
            dispose: () => boxes.push('closed'),
          };
          return box;
        },
        showQuickPick: async (choices: readonly Choice[]) => choices.find(({ label }) => format.test(label)),
        showSaveDialog: async ({ defaultUri }: { readonly defaultUri: { readonly path: string } }) => {
          suggested = basename(defaultUri.path);
          return Uri.file(report);
        },
        showInformationMessage: async () => undefined,
        withProgress: (_: unknown, work: (progress: object, token: object) => Promise<unknown>) =>
          work({ report: () => undefined }, { onCancellationRequested: () => undefined }),
      }),
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: () => ({ globalValue: settings }),
          update: async (_: string, value: typeof settings) => {
            settings = value;
            window.agents.configure(settings);
          },
        }),
      }),
    ];
    receiver = new PushReceiver({ onError: error => assert.fail(String(error)) });
    pages = pagesOf(window);
  });
  teardown(async () => {
    pages.dispose();
    receiver.dispose();
    restore.forEach(back => back());
    await world.close();
    await agent.stop();
  });

  const needs = () => ({
    parts,
    contexts: window.contexts,
    push: { webhooksFor: (name: string) => checkWebhooks(receiver, name) },
  });
  function pagesOf({ agents, contexts }: Window): InstanceType<typeof ConformancePages> {
    const state = new Map<string, unknown>();
    return new ConformancePages({
      ...needs(),
      agents,
      contexts,
      parts: async () => parts,
      extensionUri: Uri.file('/') as never,
      state: {
        get: (key: string, otherwiseIs: unknown) => state.get(key) ?? otherwiseIs,
        update: async (key: string, value: unknown) => void state.set(key, value),
      } as never,
      meantName: argument => argument as string | undefined,
      meantAgent: async name => agents.get(name as string),
      openExchange: async () => undefined,
      onChecked: () => undefined,
    });
  }
  const say = (message: ConformancePageMessage): void => received.fire(message);
  const view = (): ConformanceView => posted.findLast(message => message.type === 'view') ?? assert.fail('nothing is shown');
  const question = (): Promise<Pick> =>
    eventually(() => {
      const asked = picks.find(pick => pick.isOpen);
      assert.ok(asked !== undefined && asked.items.length > 0);
      return asked;
    });
  /** Runs the command. It only shows the runs that are kept, so where there are any the page's button is pressed too. */
  function begin(): Promise<unknown> {
    const isKept = window.contexts.history.checks.of('Harbour').length > 0;
    const done = Promise.resolve(pages.handlers['a2a.checkConformance']('Harbour'));
    if (isKept) say({ type: 'check' });
    return done;
  }
  const isOver = (): Promise<void> => eventually(() => assert.equal(view().progress, undefined));
  /** Checks the agent, with this answer to what may be sent. */
  async function check(answer: RegExp): Promise<NonNullable<ConformanceView['run']>> {
    const done = begin();
    (await question()).choose(answer);
    await done;
    await eventually(() => assert.ok(view().progress === undefined && view().run !== undefined));
    return view().run!;
  }
  const harmless = /^Read-Only Checks$/;
  const failed = ({ results }: NonNullable<ConformanceView['run']>): readonly string[] =>
    results.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);

  test('what to send is asked once, kept in the settings of the agent, and used by the next run, whose contexts are those of tests', async () => {
    typed = ['Name the ships', 'long', 'ask', ''];
    const done = begin();
    (await question()).choose(/^Choose What to Send…$/);
    const again = await eventually(() => {
      const [, second] = picks;
      assert.ok(second?.isOpen === true);
      return second;
    });
    const title = (number: number): string => `Check Conformance of "Harbour" (${number}/4): `;
    // One box for all: it is closed once.
    assert.deepEqual(boxes, [`${title(1)}task`, title(2), title(3), title(4), 'closed']);
    assert.deepEqual(settings['Harbour']?.check, { task: 'Name the ships', 'long-task': 'long', 'input-required': 'ask' });
    const work = again.items.find(({ label }) => label === 'Include Checks That Start Tasks');
    assert.match(work?.detail ?? '', /Task: “Name the ships”/);
    again.choose(/^Include Checks That Start Tasks$/);
    await done;
    const sent = (text: string): boolean => texts.some(each => each.includes(JSON.stringify(text)));
    assert.deepEqual(['Name the ships', 'long', 'ask', 'task'].map(sent), [true, true, true, false], texts.join('\n'));

    texts.length = 0;
    const next = begin();
    const last = await question();
    // What was answered before is chosen already.
    assert.equal(last.activeItems[0]?.label, 'Include Checks That Start Tasks');
    last.choose(/^Include Checks That Start Tasks$/);
    await next;
    await isOver();
    assert.deepEqual(['Name the ships', 'long', 'task'].map(sent), [true, true, false], texts.join('\n'));
    await eventually(() => assert.match(view().run?.comparison ?? '', /^No change since /));
    const { contexts, agents } = window;
    const listings = new RemoteListings({ contexts, agentOf: name => agents.get(name), onError: error => assert.fail(String(error)) });
    await listings.refresh('Harbour');
    listings.dispose();
    assert.deepEqual(contexts.page({ agent: 'Harbour', madeBy: ['person', 'file', 'agent'] }).items, []);
    assert.ok(contexts.page({ agent: 'Harbour', madeBy: ['test'] }).items.length > 0);
  });

  test('cutting streams is offered where the card declares them, with the text and how often it is sent, and the page shows the outcome', async () => {
    const silent = begin();
    const asked = await question();
    assert.deepEqual(
      asked.items.filter(({ label }) => /Cut Streams/.test(label)),
      [],
    );
    asked.hide();
    await silent;
    const samples = await startSampleAgents({ pace: 0 });
    try {
      settings = { Harbour: { url: samples.urls.Currency, check: { 'long-task': 'Convert 10 USD to EUR' } } };
      window.agents.configure(settings);
      const done = begin();
      const offered = await question();
      const detail = offered.items.find(({ label }) => /Cut Streams/.test(label))?.detail ?? '';
      assert.match(detail, /“Convert 10 USD to EUR” up to 46 times/);
      offered.choose(/Cut Streams$/);
      await done;
      await isOver();
      const { resume = [] } = view().run!;
      assert.deepEqual(
        resume.map(({ rows }) => rows.length > 0 && rows.every(({ outcome, verdict }) => outcome === 'same' && verdict === 'pass')),
        [true, true],
      );
      assert.match(resume[0]!.remarks.join(), /The same message sent twice: a second task began/);
    } finally {
      await samples.stop();
    }
  });

  test('a run that is kept is shown, and nothing is asked', async () => {
    await check(harmless);
    const [asked, { run }] = [picks.length, view()];
    await pages.handlers['a2a.checkConformance']('Harbour');
    assert.deepEqual([picks.length, view().progress, view().run?.id], [asked, undefined, run?.id]);
  });

  test('Stop ends a run: what was checked is kept, it is said how much was not, and the mark of the last whole run stays', async () => {
    const tree = new ShownTree(window);
    const marked = async (): Promise<boolean> => (await tree.texts(/^$/)).some(text => /^Harbour \| .*breaks 1 rule/.test(text));
    isBroken = true;
    assert.deepEqual(failed(await check(harmless)), ['STRM-01']);
    assert.equal(await marked(), true);
    const whole = view().run!.counts.pass;
    answered = 4;
    const done = begin();
    (await question()).choose(harmless);
    await eventually(() => assert.ok(answered < 0));
    // A second check does not begin beside it.
    say({ type: 'check' });
    say({ type: 'stop' });
    await done;
    await eventually(() => assert.equal(view().progress, undefined));
    assert.equal(picks.length, 2);
    const run = view().run!;
    const [, missing = '', of = ''] = /^The check was stopped: (\d+) of (\d+) verdicts are missing/.exec(run.remarks.join('\n')) ?? [];
    assert.ok(Number(missing) > 0 && Number(missing) + run.counts.pass <= Number(of), run.remarks.join('\n'));
    assert.ok(run.counts.pass > 0 && run.counts.pass < whole);
    assert.deepEqual([failed(run), view().runs.length, await marked()], [[], 2, true]);
    tree.dispose();

    // One that is stopped while the question is open goes away with it, and nothing is kept.
    answered = Number.POSITIVE_INFINITY;
    say({ type: 'check' });
    const asked = await question();
    say({ type: 'stop' });
    await eventually(() => assert.deepEqual([asked.isOpen, view().progress, view().runs.length], [false, undefined, 2]));
  });

  test('rules about push notifications pass through the receiver of the editor, which is off again', async () => {
    const samples = await startSampleAgents({ pace: 0 });
    window.agents.configure({ Notifier: { url: samples.urls.Sailboat } });
    const said: string[] = [];
    const notified = new AgentCheck(window.agents.get('Notifier')!, needs(), () => said.push(notified.progress.what));
    try {
      const rules = ['PUSH-05', 'PUSH-06', 'PUSH-07'] as const;
      const { results, receivedAt } = await notified.run(await notified.prepare(new Set(rules)), { allowWork: true, prompts: {} });
      assert.deepEqual(
        [...new Set(results.map(({ rule, verdict }) => `${rule} ${verdict}`))],
        rules.map(rule => `${rule} pass`),
      );
      const { host } = new URL(receivedAt ?? '');
      assert.ok(said.includes(`Receiving push notifications on ${host}…`), said.join('\n'));
      assert.equal(receiver.port, 0);
    } finally {
      notified.end();
      await samples.stop();
    }
  });

  test('a report is exported in each format, and says the same everywhere', async () => {
    isBroken = true;
    await check(harmless);
    const exported = async (name: RegExp, extension: string): Promise<string> => {
      [format, suggested] = [name, ''];
      say({ type: 'export' });
      const file = join(dirname(world.path), 'report');
      return eventually(() => {
        assert.match(suggested, new RegExp(`^conformance .*\\.${extension}$`));
        const text = readFileSync(file, 'utf8');
        assert.match(text, starts[extension]!);
        return text;
      });
    };
    const starts: Readonly<Record<string, RegExp>> = { html: /^<!DOCTYPE/, md: /^# /, jsonl: /^\{/, xml: /^<\?xml/, svg: /^<svg/ };
    const html = await exported(/^HTML$/, 'html');
    assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
    assert.doesNotMatch(html, /<(script|link|img|iframe|b)>/);
    assert.match(html, /&lt;script&gt;alert\(1\)/);
    assert.match(html, /Harbour &lt;b&gt;of&lt;\/b&gt;/);
    const markdown = await exported(/^Markdown$/, 'md');
    // What failed, with the interface that failed it.
    assert.match(markdown, /^\*\*1 failed, /m);
    assert.match(markdown, /^### STRM-01: JSONRPC 1\.0\b/m);
    const lines = (await exported(/^JSON$/, 'jsonl'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const line of lines)
      assert.deepEqual(
        ['rule', 'interface', 'level', 'section', 'verdict', 'why', 'exchange'].filter(key => !(key in line)),
        [],
      );
    assert.deepEqual(
      lines.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule),
      ['STRM-01'],
    );
    const junit = await exported(/^JUnit$/, 'xml');
    assert.match(junit, new RegExp(`<testsuites [^>]*tests="${lines.length}" failures="1"`));
    assert.match(junit, /<failure type="STRM-01"/);
    const badge = await exported(/^Badge/, 'svg');
    const musts = lines.filter(({ level }) => String(level).startsWith('MUST'));
    const kept = musts.filter(({ verdict }) => verdict === 'pass').length;
    assert.match(badge, new RegExp(`aria-label="A2A 1\\.0: ${kept} of ${kept + 1} MUST\\b`));
  });

  test('what a verdict rests on is shown with the headers that the rule is about; another run is compared, and shown', async () => {
    isBroken = true;
    const run = await check(harmless);
    const index = run.results.findIndex(({ rule }) => rule === 'STRM-01');
    say({ type: 'evidence', run: run.id, index });
    await eventually(() => {
      const evidence = posted.find(message => message.type === 'evidence');
      assert.equal(evidence?.status, 'HTTP 200 · content-type: application/json · at /error');
      assert.match(evidence.marked, /^\{"code":-32001,.*\}$/);
      assert.match(evidence.request, /"method":"SubscribeToTask"/);
    });
    isBroken = false;
    assert.match((await check(harmless)).comparison ?? '', /^1 fixed, 0 new since /);
    assert.equal(view().run?.results[index]?.change, 'fixed');
    say({ type: 'show', run: run.id });
    await eventually(() => assert.deepEqual(failed(view().run!), ['STRM-01']));
  });

  test('a request without an answer says why in the display language', () => {
    const request = { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '' };
    const exchange = { request, failure: 'In English.', failureSentence: sentence('In the display language.') };
    const parts = { evidenceFor: () => ({ exchange, frames: [], came: [] }), placeWords: () => undefined, headerLine: String };
    assert.equal(shownEvidence(1, 0, { results: [{}] } as never, parts as never)?.status, 'In the display language.');
  });

  test('an interface that does not answer is one remark, and its rules are told from others', async () => {
    const dead = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind: 'bare',
      card: (card, { url }) => ({
        ...card,
        supportedInterfaces: [{ url: `${url}dead`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      }),
      before: right => async (request, pass) => {
        if (request.url.startsWith('/dead')) throw new Error('breaks off');
        return right(request, pass);
      },
    });
    try {
      window.agents.configure({ Harbour: { url: dead.url } });
      const { remarks, results } = await check(harmless);
      const [, count] = /\/dead: The interface did not answer: (\d+) rules are inconclusive for it\./.exec(remarks.join('\n')) ?? [];
      assert.equal(results.filter(({ isUnanswered }) => isUnanswered === true).length, Number(count));
      assert.ok(Number(count) > 0);
    } finally {
      await dead.stop();
    }
  });

  test('a check waits for another one of the agent, says so, and asks nothing meanwhile', async () => {
    const end = await parts.checkTurns.take('Harbour', new AbortController().signal);
    const done = begin();
    await eventually(() => assert.equal(view().progress?.what, 'Waiting for another check of "Harbour" to finish…'));
    assert.deepEqual(picks, []);
    end();
    (await question()).choose(harmless);
    await done;
    assert.equal(view().progress, undefined);
  });

  test('an agent that runs in the window without settings, as a sample does, can be picked', async () => {
    settings = {};
    const done = pages.handlers['a2a.checkConformance'](undefined);
    const list = await eventually(() => picks[0] ?? assert.fail('nothing is asked'));
    list.choose(/^Harbour$/);
    await eventually(() => assert.equal(picks.length, 2));
    (await question()).choose(harmless);
    await done;
    assert.equal(view().agent, 'Harbour');
  });

  test('an agent that is in no settings is checked by its address', async () => {
    settings = {};
    window.agents.configure(settings);
    const done = pages.handlers['a2a.checkConformance'](undefined);
    const list = await eventually(() => picks[0] ?? assert.fail('nothing is asked'));
    list.type(agent.url);
    list.choose(new RegExp(`Check ${agent.url}$`));
    await eventually(() => assert.equal(picks.length, 2));
    (await question()).choose(harmless);
    await done;
    await eventually(() => assert.ok(view().run?.results.some(({ rule, verdict }) => rule === 'RPC-04' && verdict === 'pass')));
    assert.equal(view().agent, agent.url);
  });
});
