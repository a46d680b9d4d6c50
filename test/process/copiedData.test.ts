import * as assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parseExactly, writeExactly } from '../../src/protocol/json/exactJson.ts';
import { Problem } from '../../src/protocol/problem.ts';
import { versionOf } from '../../src/protocol/versions/index.ts';
import { readRequestFile } from '../../src/request/check/readRequestFile.ts';
import { curl, jsonRpcRequest } from '../../src/request/export/curl.ts';
import { javascript } from '../../src/request/export/javascript.ts';
import { k6Script } from '../../src/request/export/k6.ts';
import { laterText } from '../../src/request/export/laterValues.ts';
import { placeholder, withPlaceholders } from '../../src/request/export/placeholder.ts';
import { python } from '../../src/request/export/python.ts';
import { copiedRequest } from '../../src/request/resolve/resolve.ts';
import type { Values } from '../../src/request/text/value.ts';
import { caught, figure } from '../support/figure.ts';

const canary = 'c4nary';
/** What the process of a copy has. A secret holds what looks like a place for another one. */
const env = {
  A2A_SECRET_KEY: 'k ${A2A_SECRET_OTHER} %s',
  A2A_SECRET_OTHER: canary,
  AWS_SECRET_ACCESS_KEY: canary,
  later_0: canary,
  A2A_SECRET_COUNT: '987654',
  A2A_SECRET_LIST_0: 'pr1vate',
  A2A_SECRET_LIST_1: '876543',
  A2A_SECRET_LOGIN_USER: 'pr1vate',
  A2A_SECRET_LOGIN_PIN: '765432',
};
const attacks = [
  '\u0000AWS_SECRET_ACCESS_KEY\u0000',
  '\\u0000AWS_SECRET_ACCESS_KEY\\u0000',
  '\\u0000AWS_SECRET_ACCESS_KEY\u0000',
  '\\\\u0000AWS_SECRET_ACCESS_KEY\\\\u0000 \\u0000',
  '\u0000later_0\u0000 later_0',
  '${A2A_SECRET_KEY} ${A2A_SECRET_OTHER} ${AWS_SECRET_ACCESS_KEY} ${process.env.later_0} ${__ENV.later_0}',
  '%s %1$s %n %%',
  `'"$AWS_SECRET_ACCESS_KEY"' $(echo c4""nary) \`echo c4""nary\` " + secret("A2A_SECRET_OTHER") + "`,
];
const places = ['answer', 'row', 'file', 'environment'] as const;
const requests = [
  {
    agent: 'A',
    name: 'one',
    message: [
      ...places.map(place => ({
        text: `{{${place === 'answer' ? 'first.task.id' : place === 'file' ? '$file x.txt' : place}}} {{$secret key}}`,
      })),
      ...places.map(place => ({ text: `{{${place === 'answer' ? 'first.task.id' : place === 'file' ? '$file x.txt' : place}}}` })),
    ],
    metadata: { count: '{{count}}', list: '{{list}}', login: '{{login}}', of: 'n={{count}}', pin: '{{login.pin}}', exact: '{{exact}}' },
  },
  { agent: 'A', name: 'first', message: 'x' },
];

/** The parameters of the request as a copy has them, and as they are when it is sent. */
async function copied(attack: string): Promise<{ params: Readonly<Record<string, unknown>>; sent: unknown }> {
  const values: Values = new Map([
    ['row', { value: attack, source: 'row', literal: true }],
    ['environment', { value: attack, source: 'shared', literal: true }],
    ['count', { value: 987654, source: 'private', literal: false }],
    ['list', { value: ['pr1vate', 876543], source: 'private', literal: false }],
    ['login', { value: { user: 'pr1vate', pin: 765432 }, source: 'private-shared', literal: false }],
    ['exact', { value: parseExactly('{"n":9007199254740993,"__proto__":{"polluted":true}}'), source: 'shared', literal: true }],
  ]);
  const file = readRequestFile(JSON.stringify({ requests }), { names: new Set(values.keys()) });
  const scope = withPlaceholders({
    file,
    values,
    functions: {
      now: () => new Date(0),
      uuid: () => 'u',
      sources: {
        env: () => canary,
        secret: async () => canary,
        prompt: async () => canary,
        file: async () => ({ name: 'x.txt', bytes: Buffer.from(attack) }),
      },
    },
    result: () => ({ task: { id: attack, status: { state: 'TASK_STATE_COMPLETED' } } }),
  });
  const resolved = await copiedRequest(file.requests[0]!, scope, false);
  assert.ok('params' in resolved);
  const sent = {
    message: {
      messageId: 'u',
      role: 'ROLE_USER',
      parts: [...places.map(() => ({ text: `${attack} ${env.A2A_SECRET_KEY}` })), ...places.map(() => ({ text: attack }))],
    },
    metadata: {
      count: 987654,
      list: ['pr1vate', 876543],
      login: { user: 'pr1vate', pin: 765432 },
      of: 'n=987654',
      pin: 765432,
      exact: parseExactly('{"n":9007199254740993,"__proto__":{"polluted":true}}'),
    },
  };
  return { params: resolved.params as Readonly<Record<string, unknown>>, sent };
}

/** Whether each language's copy arrives as it was: JSON texts, in the order of `attacks`. */
type Reader = (copies: readonly string[]) => Promise<readonly string[]>;

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const between = (code: string, start: string, end: string): string => {
  const from = code.indexOf(start) + start.length;
  return code.slice(from, code.indexOf(end, from));
};

suite('what a copy of a request sends', () => {
  let folder: string;
  suiteSetup(() => (folder = mkdtempSync(join(tmpdir(), 'a2a-copied-'))));
  suiteTeardown(() => rmSync(folder, { recursive: true }));

  const call = (params: Readonly<Record<string, unknown>>) => ({
    agentUrl: 'http://a:1/',
    operation: 'SendMessage' as const,
    params,
    headers: {},
  });
  const rpc = (params: Readonly<Record<string, unknown>>, url: string) =>
    jsonRpcRequest(call(params), { url, version: versionOf('1.0')! })!;

  const program = (command: string, args: readonly string[]): string => {
    return execFileSync(command, args, { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  };

  /** Runs commands, and returns what a server was sent. */
  const overCurl: Reader = async copies => {
    const came: string[] = [];
    const server = createServer((request, response) => {
      void text(request).then(body => {
        came.push(body);
        response.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      for (const copy of copies) {
        const { port } = server.address() as AddressInfo;
        const path = join(folder, 'copy.sh');
        writeFileSync(path, copy.replace('curl ', 'curl -sS --noproxy "*" ').replace('http://a:1/', `http://127.0.0.1:${port}/`));
        await promisify(execFile)('bash', [path], { env: { PATH: process.env['PATH'], ...env } });
      }
    } finally {
      server.close();
    }
    return came.map(body => writeExactly((parseExactly(body) as { params: unknown }).params));
  };

  const languages: Readonly<
    Record<string, { needs?: string; write: (params: Readonly<Record<string, unknown>>) => string; read: Reader; rounds?: true }>
  > = {
    cURL: { needs: 'curl', write: params => curl(rpc(params, 'http://a:1/')), read: overCurl },
    JavaScript: {
      write: params => javascript(call(params)),
      rounds: true,
      read: async copies =>
        copies.map(code =>
          JSON.stringify(new Function('process', `return (${between(code, 'fromJSON(', ');\nconst options')});`)({ env })),
        ),
    },
    k6: {
      write: params => k6Script([{ title: 't', key: 'k', request: rpc(params, 'http://a:1/') }]),
      rounds: true,
      read: async copies =>
        copies.map(code => {
          const own = between(code, 'export default function () {\n', '\n}\n');
          const sent: { body: { params: unknown } }[] = [];
          new Function('__ENV', 'send', 'text', `let results; ${own}`)(
            env,
            (_title: string, _key: string, one: { body: { params: unknown } }) => sent.push(one),
            (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
          );
          return JSON.stringify(sent[0]!.body.params);
        }),
    },
    Python: {
      needs: 'python3',
      write: params => python(call(params)),
      read: async copies => {
        const path = join(folder, 'copies.py');
        const values = copies.map(code => between(code, 'ParseDict(', ', SendMessageRequest())'));
        writeFileSync(path, `import json, os\nprint("\\n".join(json.dumps(one) for one in [${values.join(',\n')}]))\n`);
        return program('python3', [path]).trim().split('\n');
      },
    },
  };

  let copies = 0;
  let other = 0;
  for (const [name, { needs, write, read, rounds }] of Object.entries(languages)) {
    test(`${name}: what arrives is what was there, from wherever it comes`, async function () {
      if (needs !== undefined && !has(needs)) this.skip();
      const all = await Promise.all(attacks.map(copied));
      const codes = all.map(({ params }) => write(params));
      for (const code of codes) assert.doesNotMatch(code.replaceAll('"n=', ''), /c4nary(?!")|pr1vate|987654|876543|765432/);
      const came = await read(codes);
      assert.equal(came.length, codes.length);
      // A double of JavaScript cannot hold it; that it is written whole is seen in the code.
      for (const code of codes) assert.match(code, /9007199254740993/);
      const same = (json: string): unknown => JSON.parse(rounds === true ? json : writeExactly(parseExactly(json)));
      const missed = came.filter((json, at) => {
        try {
          assert.deepEqual(same(json), JSON.parse(writeExactly(all[at]!.sent)));
          if (rounds !== true) assert.match(json, /9007199254740993/);
          return false;
        } catch {
          return true;
        }
      });
      copies += came.length * places.length;
      other += missed.length;
      for (const [at, json] of came.entries()) assert.deepEqual(same(json), JSON.parse(writeExactly(all[at]!.sent)), attacks[at]);
    });
  }

  test('an address of a card is one word, and one address', async () => {
    for (const attack of [...attacks.filter(one => !one.includes('\u0000')), '{a,b}', '[1-3]']) {
      const url = `http://a:1/${attack}`;
      const command = curl(rpc({}, url));
      const path = join(folder, 'words.sh');
      writeFileSync(path, `curl() { printf '%s\\0' "$@"; }\n${command}`);
      const words = program('bash', [path]).split('\0');
      assert.ok(words.includes(url), command);
      assert.equal(words.includes('--globoff'), /[[\]{}]/.test(attack), command);
    }
  });

  test('a marker in an address stays text', () => {
    for (const attack of attacks)
      for (const code of [javascript, python].map(write => write({ ...call({}), agentUrl: `http://a/${attack}` })))
        assert.doesNotMatch(code.split('\n').find(line => line.includes('http://a/'))!, /process\.env\.AWS|environ\["AWS|getenv\("/);
  });

  for (const value of ['{{$base64 $secret key}}', '{{$json $env HOME}}', '{{$lines $prompt Name}}', '{{$env my-name}}', '{{$json login}}'])
    test(`${value} is refused`, async () => {
      const file = readRequestFile(JSON.stringify({ agent: 'A', message: [value] }), { names: new Set(['login']) });
      const sources = {
        env: () => 'x',
        secret: async () => 'x',
        prompt: async () => 'x',
        file: async () => ({ name: '', bytes: Buffer.from('') }),
      };
      const values: Values = new Map([['login', { value: { user: 'x' }, source: 'private', literal: false }]]);
      const scope = withPlaceholders({
        file,
        values,
        functions: { now: () => new Date(0), uuid: () => 'u', sources },
        result: () => undefined,
      });
      await assert.rejects(
        copiedRequest(file.requests[0]!, scope, false),
        (error: unknown) => error instanceof Problem && error.code === 'not-copied',
      );
    });

  test('a place that takes a hole for an ordinary value fails', () => {
    const hole = placeholder('X');
    const forgotten: readonly (() => unknown)[] = [
      () => `${hole as unknown as string}`,
      () => JSON.stringify({ hole }),
      () => Object.entries(hole),
      () => ({ ...hole }),
      () => structuredClone(hole),
      () => ['a', hole].join(''),
    ];
    for (const use of forgotten)
      assert.throws(use, (error: unknown) => error instanceof Problem && error.code === 'not-copied', String(use));
  });

  test('a variable named as a later value is no later value', () => {
    const code = k6Script([{ title: 't', key: 'k', request: rpc({ a: laterText('uuid()'), b: placeholder('later_0') }, 'http://a') }]);
    assert.match(code, /"a": uuid\(\)/);
    assert.match(code, /"b": __ENV\.later_0/);
  });

  test('variables that are marked in the text are noticed', () => {
    // As it was: what stands between two NULs is a variable, and JSON's escape of NUL is a NUL.
    const nul = String.fromCharCode(0);
    const marked = (body: string): string =>
      JSON.stringify({ body })
        .replaceAll('\\u0000', nul)
        .split(new RegExp(`${nul}(\\w+)${nul}`))
        .map((piece, index) => (index % 2 === 1 ? `"$${piece}"` : `'${piece.replaceAll("'", `'\\''`)}'`))
        .join('');
    // A variable of the person's, or a NUL that no shell takes.
    const wrong = attacks.slice(0, 4).filter(attack => ['"$AWS', nul].some(sign => marked(attack).includes(sign)));
    assert.equal(wrong.length, 4);
    caught('F34', 'a copy whose variables are marked in its text');
  });

  suiteTeardown(() => {
    figure(
      'F34',
      { copies, 'other data': other },
      `${copies} texts of others came out of copies, ${other} copies with other data than was there.`,
    );
  });
});
