import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import type { SignInPrompts, TypedValue } from '../../../src/auth/signInPrompts.ts';
import { Http } from '../../../src/client/http/http.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { exchangeText } from '../../../src/workbench/documents/exchangeText.ts';
import { answer, attacks, json, type Place } from '../../support/auth/canaries/canaryAttacks.ts';
import { type Flow, flows, isOf } from '../../support/auth/canaries/canaryFlows.ts';
import { idTokenOf, secretsOf } from '../../support/auth/canaries/canarySecrets.ts';
import { SecretFinder } from '../../support/auth/canaries/secretFinder.ts';
import { crashPlace, panelPlace, requestPlaces } from '../../support/auth/canaries/shownPlaces.ts';
import { hostileServer, type HostileServer } from '../../support/auth/hostileServer.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { figure, full, sampleOf } from '../../support/figure.ts';
import { fast } from '../../support/model/world.ts';
import { Uri } from '../../support/fakeVscode.ts';
import '../../support/shimmedVscode.ts';

const { Drafts } = await import('../../../src/workbench/chat/drafts/drafts.ts');
const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');

const every = Object.entries(attacks).flatMap(([attack, does]) =>
  flows.filter(flow => isOf(attack, flow)).map(flow => ({ attack, does, flow })),
);
const drawn = new Set(sampleOf(every));
/** Beside what is drawn, what each flawed build lets through (`test/process/signInFlaws.test.ts`). */
const cases = every.filter(
  each => drawn.has(each) || each.attack === '307 of message to another port' || each.attack.startsWith('an answer, as'),
);

/** Cases that are under way at once: most of their time they wait. */
const batch = 12;

suite('credentials of sign-ins', function () {
  this.timeout(full ? 480_000 : 120_000);
  const open = new OpenThings();
  const outer = mkdtempSync(join(tmpdir(), 'a2a-canaries-'));
  suiteTeardown(async () => {
    await open.close();
    rmSync(outer, { recursive: true });
  });

  test(`${full ? '' : 'in a sample, '}none goes to a place that it was not given to, and none is shown, kept, logged or exported`, async () => {
    const folder = mkdtempSync(join(outer, 'one-'));
    const elsewhere: string[] = [];
    const here: string[] = [];
    const all = cases.map((_, index) => secretsOf(index));
    const there = (
      await open.web((request, response) => {
        let body = '';
        request.on('data', chunk => (body += String(chunk)));
        request.on('end', () => {
          elsewhere.push(`${request.url} ${request.rawHeaders.join('\n')} ${body}`);
          json(response, { ...minimalCard(`http://${request.headers.host}/a`, '1.0'), access_token: 'taken', token_type: 'Bearer' });
        });
      })
    ).slice(0, -1);
    const bases: string[] = [];
    /** The card without the attack: the person signs in by this. */
    const cardOf = (index: number): object => ({
      ...minimalCard(`${bases[index]!}a`, '1.0'),
      capabilities: { streaming: true },
      securitySchemes: { main: cases[index]!.flow.scheme(`${server.url}/case-${index}`) },
      securityRequirements: [{ schemes: { main: { list: [] } } }],
    });
    /** Of those who have signed in: the agent is honest before. */
    const attacked = new Set<number>();
    const attack = (index: number, place: Place, request: IncomingMessage, response: ServerResponse, id?: unknown): boolean => {
      const { does, flow } = cases[index]!;
      return does({
        place,
        request,
        response,
        secrets: all[index]!,
        sent: flow.sent,
        base: `${bases[index]!}a`,
        there,
        id,
        card: cardOf(index),
      });
    };
    const server: HostileServer = await hostileServer(open, index =>
      cases[index] === undefined
        ? undefined
        : {
            secrets: {
              accessToken: all[index]!.access,
              refreshToken: all[index]!.refresh,
              deviceCode: all[index]!.device,
              ...(cases[index].flow.openId === true && {
                idToken: nonce => (all[index]!.id = idTokenOf(index, `${server.url}/case-${index}`, nonce)),
              }),
            },
            instead: (what, request, response) => attack(index, what, request, response),
          },
    );
    const agentUrl = await open.web((request, response) => {
      let body = '';
      request.on('data', chunk => (body += String(chunk)));
      request.on('end', () => {
        const index = Number(/^\/case-(\d+)\//.exec(request.url ?? '')?.[1] ?? -1);
        if (cases[index] === undefined) return void response.writeHead(404).end();
        const isCard = request.method === 'GET';
        here[index] = `${here[index] ?? ''}${request.url} ${request.rawHeaders.join('\n')}\n`;
        const id = body === '' ? undefined : (JSON.parse(body) as { id: unknown }).id;
        if (attacked.has(index) && attack(index, isCard ? 'card' : 'message', request, response, id)) return;
        json(response, isCard ? cardOf(index) : answer(id, 'fine'));
      });
    });
    cases.forEach((_, index) => (bases[index] = `${agentUrl}case-${index}/`));

    let now = Date.now();
    const http = open.http() as Http;
    const keychain = new SharedSignIns();
    /** What the client was given: it can tell no more in a crash. */
    const had = new Set<string>();
    const signIns = new SignIns({ store: keychain.window(), http, now: () => now, onSecret: secret => secretsToMask.add(secret) });
    const defects: unknown[] = [];
    const onError = (error: unknown): void => void defects.push(error);
    const agents = new Agents({
      http,
      onError,
      signIns: new AgentSignIns({ isUsed: () => Promise.resolve(true), load: () => Promise.resolve(signIns), onError }),
    });
    const store = openStore(join(folder, 'history.db'));
    const contexts = new AgentContexts({ store, agents, owner: 'test', timing: fast, onError });
    const pagesOpened: string[] = [];
    const prompts = (index: number, flow: Flow): SignInPrompts => {
      const secrets = all[index]!;
      const typed: Readonly<Record<TypedValue['name'], string>> = {
        'client-id': 'client',
        'client-secret': flow.confidential === true ? secrets['client-secret'] : '',
        user: 'ann',
        password: secrets.password,
        token: secrets.token,
        key: secrets.key,
      };
      return {
        chooseOption: ([first]) => Promise.resolve(first),
        chooseFlow: (_scheme, [first]) => Promise.resolve(first),
        type: ({ name }) => {
          had.add(typed[name]);
          return Promise.resolve(typed[name]);
        },
        approve: recipients => Promise.resolve(recipients.every(({ origin }) => origin === server.url)),
        openBrowser: async address => {
          pagesOpened.push(address);
          void fetch(address).catch(() => {});
          return Promise.resolve(true);
        },
        showDeviceCode: ({ verificationUri, verificationUriComplete }) => {
          had.add(secrets.device);
          pagesOpened.push(verificationUri, verificationUriComplete ?? '');
          return Promise.resolve();
        },
        certificate: () => Promise.resolve(true),
        redirects: () => loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }),
      };
    };
    const drafts = new Drafts(Uri.file(join(folder, 'drafts')) as never, () => true);
    const told: string[] = [];
    const shown = { response: [] as string[], test: [] as string[], code: [] as string[], panel: [] as string[] };
    let signedIn = 0;
    const speaks = async (index: number): Promise<void> => {
      await agents.get(`Agent ${index}`)!.check();
      await opened[index]!.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
    };
    const opened: ReturnType<typeof contexts.create>[] = [];
    for (let first = 0; first < cases.length; first += batch) {
      const some = cases.slice(first, first + batch).map((each, row) => ({ ...each, index: first + row }));
      agents.configure(Object.fromEntries(some.map(({ index }) => [`Agent ${index}`, { url: bases[index]! }])));
      const problems: unknown[][] = [];
      await Promise.all(
        some.map(async ({ index, flow }) => {
          problems[index] = [];
          await signIns
            .of(bases[index]!)
            .signIn({ plan: signInPlan(cardOf(index)), prompts: prompts(index, flow), signal: AbortSignal.timeout(60_000) })
            .then(
              () => signedIn++,
              (error: unknown) => {
                if (!(error instanceof Problem)) throw error;
                problems[index]!.push([error.message, error.details, error.nextStep, secretsToMask.maskIn(error.stack)]);
              },
            );
          opened[index] = contexts.create(`Agent ${index}`);
          await speaks(index);
          attacked.add(index);
          await speaks(index);
        }),
      );
      const keptNow = keychain.text ?? '';
      for (const { index } of some)
        for (const secret of Object.values(all[index]!)) if (keptNow.includes(JSON.stringify(secret))) had.add(secret);
      // Tokens are over, and are renewed.
      now += 400_000;
      await Promise.all(some.filter(({ attack: what }) => /refresh|renew|401/.test(what)).map(({ index }) => speaks(index)));
      await Promise.all(
        some.map(async ({ index }) => {
          const model = { agents, contexts, drafts };
          const { response, test: tested, code } = await requestPlaces(`Agent ${index}`, model);
          shown.response[index] = response;
          shown.test[index] = tested;
          shown.code[index] = code;
          shown.panel[index] = await panelPlace(opened[index]!, model);
        }),
      );
      for (const { index } of some) {
        const context = opened[index]!;
        const { problem, diagnosis, cardSource, signIn } = agents.get(`Agent ${index}`)!;
        const exchanges = context.exchanges().items.flatMap(({ id }) => context.exchange(id) ?? []);
        told[index] = JSON.stringify([
          problems[index],
          context.entries({ limit: 200 }).items,
          exchanges,
          [problem?.message, problem?.details, diagnosis, cardSource, signIn],
          exchanges.map(each => exchangeText(each, ({ template }) => template)),
        ]);
        told[index] += [...(await contexts.history.markdown({ context: context.key }))].join('\n');
        context.dispose();
      }
    }
    const listed = JSON.stringify(await signIns.list());
    assert.deepEqual(defects, []);
    const exported = [...store.export.lines(undefined, { wire: true })].join('\n');
    const crashed = await crashPlace(all.flatMap(each => Object.values(each).filter(secret => secret !== '' && had.has(secret))));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => statSync(join(folder, file)).isFile())
      .map(file => [file, readFileSync(join(folder, file), 'latin1')] as const);
    const isDraft = ([file]: (typeof files)[number]): boolean => file.startsWith('drafts');
    const textOf = (some: typeof files): string => some.map(([, text]) => text).join('\n');
    const finder = new SecretFinder();
    cases.forEach(({ attack: what, flow }, index) => {
      for (const kind of flow.sent) if (all[index]![kind] !== '') finder.add(all[index]![kind], `${flow.name}, ${what}: ${kind}`);
    });
    const places = {
      'at another origin': elsewhere.join('\n'),
      shown: told.join('\n') + listed,
      exported,
      'in the history': textOf(files.filter(file => !isDraft(file))),
      'in a draft': textOf(files.filter(isDraft)),
      'in a panel': shown.panel.join('\n'),
      'in a response document': shown.response.join('\n'),
      'in a test': shown.test.join('\n'),
      'in cURL or code': shown.code.join('\n'),
      'in a crash or the log': crashed,
      'in the browser': pagesOpened.join('\n'),
    };
    const found = Object.entries(places).flatMap(([place, text]) => [...finder.in(text)].map(title => `${title} is ${place}`));
    const arrived = finder.in(here.join('\n'));
    const used = cases.filter(
      ({ attack: what, flow }, index) =>
        flow.sent.some(kind => arrived.has(`${flow.name}, ${what}: ${kind}`)) ||
        here[index]!.includes(Buffer.from(`ann:${all[index]!.password}`).toString('base64')),
    ).length;
    figure(
      'F6',
      { cases: cases.length, leaks: found.length },
      `${cases.length} attacks on sign-ins of ${flows.length} flows, ${signedIn} of them signed in, ${used} with the secret sent where it belongs, leaks: ${Object.keys(
        places,
      )
        .map(place => `${found.filter(each => each.endsWith(` is ${place}`)).length} ${place}`)
        .join(', ')}`,
    );
    contexts.dispose();
    store.close();
    agents.dispose();
    assert.deepEqual([...new Set(found)].slice(0, 30), []);
    assert.ok(!pagesOpened.some(page => page.includes(there)), 'no page elsewhere');
    // Where nothing is, nothing can be found.
    for (const [place, text] of Object.entries(places)) if (place !== 'at another origin') assert.match(text, /\S/, place);
    // What is never sent cannot leak, and would show nothing.
    assert.ok(used > cases.length * 0.75, String(used));
  });
});
