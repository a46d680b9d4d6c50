import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { ReceivedRequest, Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const echo: Script = { SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }] };
const answering = (text: string): Script => ({ SendStreamingMessage: [{ event: { message: says(text) } }] });

interface Hook {
  readonly url: string;
  readonly token: string;
}

/** The credentials that an agent got, with every request, also that for its card. */
const credentials = (agent: { readonly requests: readonly ReceivedRequest[] }): readonly (string | undefined)[] => [
  ...new Set(agent.requests.map(({ headers }) => headers.authorization)),
];
const origin = (agent: { readonly url: string }): string => new URL(agent.url).origin;
const header = ['--header', 'Authorization: Bearer canary-header-1'];

suite('a2a run keeps headers and secrets where they belong', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const run = async (files: Readonly<Record<string, unknown>>, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    program.run(['run', 'x.a2a', ...args], { cwd: await program.workspace(files), env });

  /** What each reporter writes of one run: the first to standard output. */
  async function reported(
    files: Readonly<Record<string, unknown>>,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{
    readonly status: number | null;
    readonly err: string;
    readonly reports: readonly [spec: string, junit: string, json: string];
  }> {
    const cwd = await program.workspace(files);
    const reporters = ['spec', 'junit=report.xml', 'json=report.jsonl'].flatMap(name => ['--reporter', name]);
    const { status, out, err } = await program.run(['run', 'x.a2a', ...reporters, ...args], { cwd, env });
    const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
    return { status, err, reports: [out, await read('report.xml'), await read('report.jsonl')] };
  }

  suite('headers', () => {
    const twoSteps = (first: { readonly url: string }, ...more: object[]): object => ({
      requests: [
        { name: 'one', agent: first.url, message: 'where?' },
        { name: 'two', agent: '{{one.message.parts[0].text}}', message: 'hello' },
        ...more,
      ],
    });

    test('an address that an answer chose takes no header', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const { status, out } = await run({ 'x.a2a': twoSteps(first) }, header);
      assert.equal(status, 0, out);
      assert.deepEqual([credentials(first), credentials(other)], [['Bearer canary-header-1'], [undefined]]);
    });

    test('nor through a variable of the file, a row of data or the agent of the file', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const one = { name: 'one', agent: first.url, message: 'where?' };
      const files = {
        'x.a2a': {
          variables: { peer: '{{one.message.parts[0].text}}' },
          requests: [one, { name: 'two', agent: '{{peer}}', message: 'x' }],
        },
        'y.a2a': { requests: [one, { name: 'two', each: [{ peer: '{{one.message.parts[0].text}}' }], agent: '{{peer}}', message: 'x' }] },
        'z.a2a': { agent: '{{one.message.parts[0].text}}', requests: [one, { name: 'two', message: 'x' }] },
      };
      const { out } = await run(files, ['y.a2a', 'z.a2a', ...header]);
      assert.deepEqual([credentials(first), credentials(other)], [['Bearer canary-header-1'], [undefined]], out);
      assert.deepEqual(other.requests.filter(({ body }) => body !== '').length, 3, out);
    });

    test('--allow-origin gives it the header', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const { status, out } = await run({ 'x.a2a': twoSteps(first) }, [...header, '--allow-origin', origin(other)]);
      assert.equal(status, 0, out);
      assert.deepEqual(credentials(other), ['Bearer canary-header-1']);
    });

    test('an agent that the file names besides another takes it where --allow-origin names both', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const file = { 'x.a2a': twoSteps(first, { name: 'three', agent: other.url.slice(0, -1), message: 'three' }) };
      const refused = await run(file, header);
      assert.equal(refused.status, 2);
      assert.deepEqual([first.requests.length, other.requests.length], [0, 0], refused.err);
      const { status, out } = await run(file, [...header, '--allow-origin', origin(first), '--allow-origin', origin(other)]);
      assert.equal(status, 0, out);
      assert.deepEqual([credentials(first), credentials(other)], [['Bearer canary-header-1'], ['Bearer canary-header-1']]);
    });

    test('an agent of the command line or the settings takes it, also where an answer names it', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering('Peer'));
      const { status, out } = await run({ 'x.a2a': twoSteps(first) }, [...header, '--agent', `Peer=${other.url}`]);
      assert.equal(status, 0, out);
      assert.deepEqual(credentials(other), ['Bearer canary-header-1']);
    });

    test('an address without a scheme takes the header, and a name that nobody knows is no address', async () => {
      const agent = await open.agent(echo);
      const { host } = new URL(agent.url);
      assert.equal((await run({ 'x.a2a': { agent: host, message: 'x' } }, header)).status, 0);
      assert.equal((await run({ 'x.a2a': { message: 'x' } }, ['--agent', host, ...header])).status, 0);
      assert.deepEqual(credentials(agent), ['Bearer canary-header-1']);
      const unknown = await run({ 'x.a2a': { agent: 'no.such', message: 'x' } }, header);
      assert.equal(unknown.status, 2);
      assert.match(unknown.out, /No agent named "no\.such"\./);
    });

    test('settings of a folder do not lead an address elsewhere that the person typed, or a file has', async () => {
      const [meant, other] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const { host } = new URL(meant.url);
      for (const [name, file, args] of [
        [meant.url, { message: 'x' }, ['--agent', meant.url]],
        [host, { message: 'x' }, ['--agent', host]],
        [meant.url, { agent: meant.url, message: 'x' }, []],
        [host, { agent: host, message: 'x' }, []],
      ] as const) {
        const settings = { 'a2a.agents': { [name]: { url: other.url } } };
        const { status, out, err } = await run({ 'x.a2a': file, '.vscode/settings.json': settings }, [...args, ...header]);
        assert.equal(status, 0, out);
        assert.match(err, /^warning: the settings of this folder have an agent ".*" at .*\. An address is no name/);
      }
      assert.deepEqual([credentials(meant), other.requests.length], [['Bearer canary-header-1'], 0]);
      // A name that says where the agent is stays one.
      const same = { 'a2a.agents': { [host]: { url: `${meant.url}?x` } } };
      assert.equal((await run({ 'x.a2a': { agent: host, message: 'x' }, '.vscode/settings.json': same }, [])).err, '');
    });

    test('a header for one agent goes to no other', async () => {
      const [currency, peer, literal] = await Promise.all([open.agent(echo), open.agent(echo), open.agent(echo)]);
      const file = {
        requests: [
          { agent: 'Currency Desk', message: 'x' },
          { agent: 'Peer', message: 'x' },
          { agent: literal.url, message: 'x' },
        ],
      };
      const settings = { 'a2a.agents': { Peer: { url: peer.url, headers: { Authorization: 'Bearer of-settings' } } } };
      const { status, out } = await run({ 'x.a2a': file, '.vscode/settings.json': settings }, [
        '--agent',
        `Currency Desk=${currency.url}`,
        '--header',
        'Currency Desk: Authorization: Bearer for-currency',
        '--header',
        `${literal.url}: Authorization: Bearer for-literal`,
      ]);
      assert.equal(status, 0, out);
      assert.deepEqual([currency, peer, literal].map(credentials), [
        ['Bearer for-currency'],
        ['Bearer of-settings'],
        ['Bearer for-literal'],
      ]);
    });

    test('one of the settings is printed by nobody, also where another agent says it', async () => {
      const [gossip, peer] = await Promise.all([
        open.agent(answering(`It is s3ttings-token, ${btoa('x s3ttings-token y')}, k3y-; acme and Peer are no secrets.`)),
        open.agent(echo),
      ]);
      const settings = {
        'a2a.agents': {
          Peer: {
            url: peer.url,
            headers: { Authorization: 'Bearer s3ttings-token', 'X-Key': 'k3y-', 'X-Tenant': 'acme', 'X-Auth-Agent': 'Peer' },
          },
        },
      };
      const { err, reports } = await reported(
        {
          'x.a2a': { requests: [{ agent: gossip.url, message: 'x', expect: { text: 'something else' } }] },
          '.vscode/settings.json': settings,
        },
        [],
      );
      for (const report of reports) {
        assert.match(report, /•{6}.*acme and Peer are no secrets/s);
        assert.doesNotMatch(report + err, /s3ttings|M3R0aW5nc|zdHRpbmdz|MzdHRpbm|k3y-/);
      }
    });

    for (const wrong of [
      'Currencyy: Authorization: Bearer canary-header-1',
      'Currency Desk: X-Key: canary-header-1',
      'http://127.0.0.1:9/: X-Key: canary-header-1',
      'canary-header-1',
    ]) {
      test(`"${wrong}" is refused, and not repeated`, async () => {
        const agent = await open.agent(echo);
        const { status, out, err } = await run({ 'x.a2a': { agent: agent.url, message: 'x' } }, ['--header', wrong]);
        assert.deepEqual([status, out, agent.requests.length], [2, '', 0]);
        assert.match(err, /--header/);
        assert.doesNotMatch(err, /canary/);
      });
    }
  });

  suite('secrets', () => {
    const secret = { A2A_SECRET_TOKEN: 'canary-secret-1' };
    const holding = { message: 'Use {{$secret token}}' };

    test('one goes to no address that an answer chose', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const files = {
        'x.a2a': {
          requests: [
            { name: 'one', agent: first.url, message: 'where?' },
            { name: 'two', agent: '{{one.message.parts[0].text}}', ...holding },
          ],
        },
      };
      const refused = await run(files, [], secret);
      assert.equal(refused.status, 2, refused.out);
      assert.ok(refused.out.includes(`--allow-origin ${origin(other)}`), refused.out);
      assert.ok(refused.out.includes('token'), refused.out);
      assert.ok(!other.requests.some(({ body }) => body.includes('canary')));
      const allowed = await run(files, ['--allow-origin', origin(other)], secret);
      assert.equal(allowed.status, 0, allowed.out);
      assert.ok(other.requests.some(({ body }) => body.includes('canary-secret-1')));
    });

    test('one goes to the origin that it was sent to first, and to no other', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const files = {
        'x.a2a': {
          requests: [
            { agent: first.url, ...holding },
            { agent: second.url, ...holding },
            { agent: second.url, message: 'no secret' },
            { agent: first.url, ...holding },
          ],
        },
      };
      const { status, out } = await run(files, [], secret);
      assert.equal(status, 2, out);
      assert.ok(out.includes(`--allow-origin ${origin(second)}`), out);
      assert.match(out, /3 sent/);
      assert.ok(!second.requests.some(({ body }) => body.includes('canary')));
      assert.equal((await run(files, ['--allow-origin', origin(second)], secret)).status, 0);
    });

    test('private values are bound in the same way, also in raw bodies and rows', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const raw = {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '{{key}}' }] } },
      };
      const { status, out } = await run(
        {
          'a2a.private.env.json': { $shared: { key: 'canary-private-1' } },
          'x.a2a': {
            variables: { outer: 'the {{key}}' },
            requests: [
              { agent: first.url, message: '{{key}}' },
              { agent: second.url, message: '{{key}}' },
              { agent: second.url, message: '{{outer}}' },
              { agent: second.url, ...raw },
              { agent: second.url, each: [{ value: '{{key}}' }], message: '{{value}}' },
            ],
          },
        },
        [],
      );
      assert.equal(status, 2, out);
      assert.ok(out.includes(`--allow-origin ${origin(second)}`), out);
      assert.match(out, /(?:the same error as x\.a2a › Request 2\n[^]*){3}\n1 sent, 0 passed, 4 failed/);
      assert.ok(!second.requests.some(({ body }) => body.includes('canary')));
    });

    test('one that an agent repeats is still one', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const { status, out } = await run(
        {
          'x.a2a': {
            requests: [
              { name: 'one', agent: first.url, ...holding },
              { agent: second.url, message: '{{one.message.parts[0].text}}' },
            ],
          },
        },
        [],
        secret,
      );
      assert.equal(status, 2, out);
      assert.ok(!second.requests.some(({ body }) => body.includes('canary')));
    });
  });

  suite('variables of the environment', () => {
    const env = { STAGE: 'c4nary-stage', MY_TOKEN: 'c4nary-t0ken' };
    const got = (agent: { readonly requests: readonly ReceivedRequest[] }): boolean =>
      agent.requests.some(({ headers, body, url }) => JSON.stringify([headers, body, url]).includes('c4nary'));

    test('each goes to the origin that it was sent to first, and to another one where that is allowed', async () => {
      const uses = {
        IN_MESSAGE: { message: '{{$env IN_MESSAGE}}' },
        IN_HEADER: { message: 'x', headers: { 'X-Stage': 'in {{$env IN_HEADER}}' } },
        IN_CREDENTIAL_TOKEN: { message: 'x', headers: { Authorization: 'Bearer {{$env IN_CREDENTIAL_TOKEN}}' } },
        IN_VARIABLE: { message: '{{where}}' },
        IN_ENVIRONMENT: { message: '{{fromEnvironment}}' },
        IN_SOMETHING_ELSE: { message: '{{$base64 $env IN_SOMETHING_ELSE}}' },
        IN_ROW: { each: [{ stage: '{{$env IN_ROW}}' }], message: '{{stage}}' },
      };
      const names = Object.keys(uses);
      const values = Object.fromEntries(names.map(name => [name, `c4nary-${name}`]));
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const sent = ({ requests }: typeof first): number => requests.filter(({ operation }) => operation !== undefined).length;
      const files = {
        'a2a.env.json': { dev: { fromEnvironment: '{{$env IN_ENVIRONMENT}}' } },
        'x.a2a': {
          variables: { where: 'on {{$env IN_VARIABLE}}' },
          requests: Object.values(uses).flatMap(use => [first, second, first].map(({ url }) => ({ agent: url, ...use }))),
        },
      };
      const refused = await run(files, ['--env', 'dev'], values);
      assert.equal(refused.status, 2, refused.out);
      for (const name of names) assert.ok(refused.out.includes(`$env ${name} was first sent elsewhere, and would now go to `), refused.out);
      assert.ok(refused.out.includes(`--allow-origin ${origin(second)}`), refused.out);
      assert.deepEqual([sent(first), sent(second), got(second)], [2 * names.length, 0, false]);
      const allowed = await run(files, ['--env', 'dev', '--allow-origin', origin(second)], values);
      assert.equal(allowed.status, 0, allowed.out);
      assert.equal(sent(second), names.length);
    });

    test('what the command line calls an agent gets variables, and no credential that was sent elsewhere', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const agents = ['--agent', `One=${first.url}`, '--agent', `Two=${second.url}`];
      const both = (message: string): object => ({ requests: ['One', 'Two'].map(agent => ({ agent, message })) });
      const plain = await run({ 'x.a2a': both('{{$env STAGE}}') }, agents, env);
      assert.equal(plain.status, 0, plain.out);
      assert.equal(got(second), true);
      const before = second.requests.length;
      const credential = await run({ 'x.a2a': both('{{$env MY_TOKEN}}') }, agents, env);
      assert.equal(credential.status, 2, credential.out);
      assert.equal(second.requests.slice(before).filter(({ operation }) => operation !== undefined).length, 0);
    });

    test('an address that an answer chose gets none, and one that a file writes none in its path', async () => {
      const other = await open.agent(echo);
      const first = await open.agent(answering(other.url));
      const files = [
        {
          requests: [
            { name: 'one', agent: first.url, message: 'where?' },
            { name: 'two', agent: '{{one.message.parts[0].text}}', message: '{{$env STAGE}}' },
          ],
        },
        {
          requests: [
            { agent: first.url, message: '{{$env MY_TOKEN}}' },
            { agent: `${other.url}{{$env MY_TOKEN}}`, message: 'x' },
          ],
        },
        {
          requests: [
            { agent: first.url, message: '{{$env STAGE}}' },
            { agent: `${other.url}{{$env STAGE}}`, message: 'x' },
          ],
        },
        { requests: [{ agent: 'http://{{$env MY_TOKEN}}.localhost:9/', message: 'x' }] },
      ];
      for (const file of files) {
        const { status, out } = await run({ 'x.a2a': file }, [], env);
        assert.equal(status, 2, out);
        assert.equal(got(other), false, out);
      }
    });

    test('hosts and ports of agents come from variables, for any number of agents', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const [one, two] = [first, second].map(({ url }) => new URL(url));
      const { status, out } = await run(
        {
          'x.a2a': {
            requests: [
              { agent: '{{$env ONE}}', message: 'x' },
              { agent: `http://{{$env HOST}}:${one!.port}/`, message: 'x' },
              { agent: `http://{{$env HOST}}:${two!.port}/`, message: 'x' },
              { agent: 'http://127.0.0.1:{{$env PORT}}/', message: 'x' },
            ],
          },
        },
        [],
        { ONE: first.url, HOST: '127.0.0.1', PORT: two!.port },
      );
      assert.equal(status, 0, out);
    });

    test('one secret under several names is one', async () => {
      const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
      const names = ['{{$secret api-key}}', '{{$secret API_KEY}}', '{{$secret api.key}}', '{{$env A2A_SECRET_API_KEY}}'];
      for (const [index, message] of names.entries()) {
        const requests = [
          { agent: first.url, message },
          { agent: second.url, message: names[(index + 1) % names.length] },
        ];
        const { status, out } = await run({ 'x.a2a': { requests } }, [], { A2A_SECRET_API_KEY: 'c4nary-key' });
        assert.equal(status, 2, out);
        assert.equal(got(second), false, message);
      }
    });

    test('no reporter writes a variable whose name says that it is a credential, and each every other one', async () => {
      const agent = await open.agent(echo);
      const { err, reports } = await reported(
        { 'x.a2a': { agent: agent.url, message: '{{$env MY_TOKEN}} {{$env STAGE}}', expect: { text: 'something else' } } },
        ['--verbose'],
        env,
      );
      for (const report of reports) {
        assert.doesNotMatch(report + err, /t0ken/);
        assert.match(report, /c4nary-stage/);
      }
    });
  });

  suite('output', () => {
    /** With what JSON, XML and URLs write in another way. */
    const values = { secret: 'c4n"ry<&sécret/one+', private: 'c4n"ry<&private?two', header: 'c4nary-header-three' };
    const pieces = Object.values(values).flatMap(value => [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64').slice(0, -4),
      value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    ]);
    /** May stand in front of the host of an address. */
    const urlSafe = 'c4nary-of-h00k!$(ä)';
    const env = { A2A_SECRET_TOKEN: values.secret };
    const privateFile = { 'a2a.private.env.json': { $shared: { key: values.private } } };
    const withHeader = ['--header', `X-Key: ${values.header}`];
    const noCanary = (text: string): void =>
      assert.deepEqual(
        pieces.filter(piece => text.includes(piece)),
        [],
        text,
      );
    /** Says all that it got, in every encoding. */
    const parrot: Script = {
      SendStreamingMessage: ({ params, headers }) => {
        const said = [...Object.values(values), JSON.stringify(params?.message.parts), String(headers['x-key'])];
        return [
          {
            event: {
              message: says(said.flatMap(text => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')]).join('\n')),
            },
          },
        ];
      },
    };

    test('no reporter writes a secret, private or header value', async () => {
      const agent = await open.agent(parrot);
      const failing = await open.agent({
        SendStreamingMessage: ({ headers }) => [{ status: 401 }, { raw: `${String(headers['x-key'])} ${values.secret}` }],
      });
      const { status, err, reports } = await reported(
        {
          ...privateFile,
          'x.a2a': {
            requests: [
              {
                name: 'all',
                agent: agent.url,
                message: '{{$secret token}} {{key}}',
                expect: {
                  text: '{{$secret token}} nowhere',
                  paths: {
                    'message.parts[0].text': '{{key}}',
                    'message.messageId': ['{{$secret token}}'],
                    'message.role': 'the {{key}}',
                  },
                  data: { const: '{{key}}' },
                },
              },
              {
                name: 'rows',
                each: [{ one: '{{key}}' }, { one: '{{$secret token}}' }],
                agent: agent.url,
                message: '{{one}}',
                expect: { state: 'completed' },
              },
              { name: 'agent', agent: 'no {{$secret token}} {{key}}', message: 'x' },
              { name: 'refused', agent: failing.url, message: 'x' },
            ],
          },
        },
        [...withHeader, '--allow-origin', origin(agent), '--allow-origin', origin(failing)],
        env,
      );
      assert.equal(status, 1, reports[0] + err);
      for (const report of reports) {
        assert.match(report, /••••••/);
        noCanary(report + err);
      }
      // What a program reads keeps its shape.
      for (const line of reports[2].trim().split('\n')) JSON.parse(line);
    });

    test("no reporter writes anything secret of a webhook's address, however the agent repeats it", async () => {
      const got: string[] = [];
      /** The address as it came, as a browser writes it, and what is in it. */
      const repeated = (hook: Hook): object => {
        const { href, username, password, search, searchParams } = new URL(hook.url);
        return { ...hook, as: { href, username, password, search, token: searchParams.get('token') }, twice: encodeURIComponent(href) };
      };
      const url = await open.web(async (request, response) => {
        response.setHeader('Content-Type', 'application/json');
        if (request.method === 'GET') {
          response.end(JSON.stringify(minimalCard(`http://${request.headers.host}/a`, '1.0')));
          return;
        }
        let body = '';
        for await (const piece of request) body += String(piece);
        const { id, method, params } = JSON.parse(body) as {
          id: unknown;
          method: string;
          params: Hook & { configuration: { taskPushNotificationConfig: Hook } };
        };
        const hook = method === 'SendMessage' ? params.configuration.taskPushNotificationConfig : params;
        got.push(hook.url);
        const text = JSON.stringify(repeated(hook));
        response.end(
          JSON.stringify(
            method === 'SendMessage'
              ? { jsonrpc: '2.0', id, result: { message: says(text) } }
              : method === 'CreateTaskPushNotificationConfig'
                ? { jsonrpc: '2.0', id, result: repeated(hook) }
                : { jsonrpc: '2.0', id, error: { code: -32003, message: `No hook at ${hook.url}`, data: [repeated(hook)] } },
          ),
        );
      });
      const hook = {
        taskId: 't',
        url: 'https://ann:{{key}}@hook.invalid/a?token={{$secret token}}#x',
        token: '{{$secret token}}',
        authentication: { scheme: 'Basic', credentials: '{{key}}' },
      };
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
      const raw = (method: string, params: object): object => ({
        agent: url,
        jsonrpc: '2.0',
        id: 1,
        method,
        params,
        expect: { text: 'https://ann:{{key}}@elsewhere.invalid/', paths: { 'message.messageId': hook.url } },
      });
      const { status, err, reports } = await reported(
        {
          'a2a.private.env.json': { $shared: { key: urlSafe } },
          'x.a2a': {
            requests: [
              raw('CreateTaskPushNotificationConfig', hook),
              raw('SendMessage', { message, configuration: { taskPushNotificationConfig: hook } }),
              raw('ListTaskPushNotificationConfigs', hook),
            ],
          },
        },
        [],
        { A2A_SECRET_TOKEN: values.secret },
      );
      assert.equal(status, 1, reports[0] + err);
      assert.deepEqual(
        got.map(address => address.includes(urlSafe) && address.includes(values.secret)),
        [true, true, true],
        'the agent needs it',
      );
      for (const report of reports) {
        assert.match(report, /••••••/);
        assert.match(report, /hook\.invalid/, 'where the webhook is shows');
        noCanary(report + err);
        assert.ok(!(report + err).includes(urlSafe), report);
        assert.ok(!(report + err).includes(encodeURIComponent(urlSafe)), report);
      }
    });

    test('the answer to a prompt for a password is a secret, any other is not', async () => {
      const agent = await open.agent({
        SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }],
      });
      const answers = { A2A_PROMPT_API_TOKEN: 'c4nary-of-prompt', A2A_PROMPT_YOUR_NAME: 'Ann of Prompt' };
      const named = await reported(
        {
          'x.a2a': {
            requests: [
              {
                agent: agent.url,
                message: '{{$prompt API token}} for {{$prompt Your name}}',
                expect: { text: 'nowhere', paths: { 'message.messageId': '{{$prompt API token}}' } },
              },
            ],
          },
        },
        [],
        answers,
      );
      assert.equal(named.status, 1, named.reports[0] + named.err);
      for (const report of named.reports) {
        assert.ok(!(report + named.err).includes('c4nary'), report);
        assert.ok(report.includes('Ann of Prompt'), report);
      }
      const other = await open.agent(echo);
      const { status, out } = await run(
        {
          'x.a2a': {
            requests: [
              { agent: agent.url, message: '{{$prompt API token}}' },
              { agent: other.url, message: '{{$prompt API token}}' },
            ],
          },
        },
        [],
        answers,
      );
      assert.equal(status, 2, out);
      assert.ok(!other.requests.some(({ body }) => body.includes('c4nary')));
    });

    test('a private value that is a word of the report leaves the report as it is', async () => {
      const agent = await open.agent(echo);
      const files = {
        'a2a.private.env.json': { $shared: { one: 'test', two: 'failure', three: 'message', four: 'passed', five: 'failed' } },
      };
      const file = { agent: agent.url, message: '{{one}}{{two}}{{three}}{{four}}{{five}}', expect: { text: 'nowhere' } };
      const [, xml, json] = (await reported({ ...files, 'x.a2a': file }, [])).reports;
      assert.match(xml, /<testsuites name="a2a" tests="1" failures="1"[^]*<testcase [^]*<failure type="text" message="/);
      const [result] = json.split('\n').map(line => (line === '' ? {} : (JSON.parse(line) as Record<string, unknown>)));
      assert.deepEqual(
        [result?.['file'], result?.['verdict'], Object.keys((result?.['failures'] as object[])[0]!).includes('message')],
        ['x.a2a', 'failed', true],
      );
    });

    for (const options of [[], ['--json'], ['--raw'], ['--stream'], ['--stream', '--json'], ['--stream', '--raw']]) {
      test(`send ${options.join(' ')} prints no header value`.replace('  ', ' '), async () => {
        const whole = (headers: ReceivedRequest['headers']): string =>
          `it is ${String(headers['x-key'])} and ${Buffer.from(String(headers['x-key'])).toString('base64')}.`;
        const agent = await open.agent({
          SendMessage: ({ headers }) => [{ answer: { message: says(whole(headers)) } }],
          SendStreamingMessage: ({ headers }) => [{ event: { message: says(whole(headers)) } }],
        });
        const { status, out, err } = await program.run(['send', agent.url, 'x', ...withHeader, ...options]);
        assert.equal(status, 0, err);
        // The second is base64, of which something may be masked inside.
        assert.match(out, /it is •••••• and [^\s.]+\./);
        noCanary(out + err);
      });
    }

    test('of a header value that streams in pieces, no more than the first few characters are printed', async () => {
      const key = values.header;
      const pieces = ['so ', key.slice(0, 3), key.slice(3, 9), `${key.slice(9)} c4n`, ' it is c4'];
      const agent = await open.agent({
        SendStreamingMessage: [
          { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
          ...pieces.map((text, index) => ({
            event: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append: index > 0 } },
          })),
          { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
        ],
      });
      const { out } = await program.run(['send', agent.url, 'x', ...withHeader, '--stream']);
      assert.equal(out, 'so c4n•••••• c4n it is c4\n');
    });

    for (const [options, cut] of [
      ['--json', 1],
      ['--json', 5],
      ['--raw', 1],
      ['--raw', 5],
    ] as const) {
      test(`nor with ${options}, in pieces of ${cut}`, async () => {
        for (const key of [values.header, 'ab12cd34ef56ab78']) {
          const texts = `so ${key} and ${Buffer.from(key).toString('base64')}.`.match(new RegExp(`[^]{1,${cut}}`, 'g'))!;
          const agent = await open.agent({
            SendStreamingMessage: [
              { event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
              ...texts.map((text, index) => ({
                event: {
                  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append: index > 0 },
                },
              })),
              { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
            ],
          });
          const { out, err } = await program.run(['send', agent.url, 'x', '--header', `X-Key: ${key}`, '--stream', options]);
          const printed = options === '--raw' ? out.split('\n\n').map(event => event.replace(/^data: /, '')) : out.split('\n');
          // A raw answer to what was asked after the stream may follow.
          assert.ok(!printed.pop()!.includes('Update'));
          assert.equal(printed.length, texts.length + 2, err);
          const said = printed.map(line => /"text":"([^"]*)"/.exec(JSON.stringify(JSON.parse(line)))?.[1] ?? '').join('');
          assert.match(said, /^so .{0,5}•••••• and .{0,5}[\w+/•]+=*\.$/);
          assert.ok(!said.includes(key.slice(0, 6)) && !said.includes(key.slice(-6)), said);
          assert.ok(!said.includes(Buffer.from(key).toString('base64').slice(2, 10)), said);
        }
      });
    }

    test('a failure says no header value on standard error', async () => {
      const agent = await open.agent({
        SendMessage: ({ headers }) => [
          { error: { code: -32000, message: `bad key ${String(headers['x-key'])}`, data: [String(headers['x-key'])] } },
        ],
      });
      const { status, out, err } = await program.run(['send', agent.url, 'x', ...withHeader]);
      assert.equal(status, 3);
      assert.match(err, /bad key ••••••/);
      noCanary(out + err);
    });
  });
});
