import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readDefaults } from '../../../src/request/check/folderDefaults.ts';
import { readImports } from '../../../src/request/check/readImports.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, task } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const echo: Script = {
  ...silentCard,
  SendMessage: ({ params }) => {
    const said = JSON.stringify(params?.message.parts);
    return [{ answer: said.includes('as a task') ? { task: task('TASK_STATE_COMPLETED') } : { message: says(said) } }];
  },
  GetTask: [{ error: { code: -32001, message: 'No task t-9 here' } }],
};

/** Matchers of what is neither a text nor a path. */
function matched(index: number): object {
  const holds = index % 3 !== 0;
  const refused = { name: 'no such task', method: 'GetTask', params: { id: 't-9' } };
  const expectations: readonly [request: object, expect: object][] = [
    [refused, { error: { code: { in: ['TaskNotFoundError'] }, message: { matches: holds ? 't-9' : 't-8' } } }],
    [
      { name: 'timely', message: 'x' },
      { totalMs: { lt: 60_000, gt: holds ? -1 : 60_000 }, status: { in: [200] } },
    ],
    [
      { name: 'in time', message: 'as a task' },
      { events: [{ state: 'completed', withinMs: { lt: 60_000 }, afterMs: holds ? { gte: 0 } : { gt: 60_000 } }] },
    ],
    [{ name: 'fine', message: 'x' }, { status: { lt: 400, not: holds ? 204 : 200 } }],
    [{ name: 'done', message: 'as a task' }, { state: holds ? { not: 'failed' } : { in: ['failed', 'rejected'] } }],
  ];
  const [request, expect] = expectations[(index >> 3) % expectations.length]!;
  return { ...request, expect };
}

/** A third of them are Markdown, a seventh has an expectation that fails, and some have rows, captures, defaults and lines. */
function fileOf(index: number, agent: string): { readonly name: string; readonly text: string } {
  const expected = index % 7 === 0 ? 'something else' : `n${index}`;
  const requests: object[] = [
    { name: 'ask', message: `n${index}`, expect: { text: expected }, capture: { said: 'message.parts[0].text' } },
    { name: 'then', message: [{ lines: ['after', "{{said ?? 'nothing'}}"] }], expect: { text: `n${index}` } },
    ...(index % 5 === 0 ? [{ name: 'rows', message: 'row {{n}}', each: [{ n: 1 }, { n: 2 }], expect: { text: 'row 1' } }] : []),
    ...(index % 9 === 0
      ? [
          {
            name: 'both',
            message: 'to all',
            matrix: { interface: ['JSONRPC', '1.0'] },
            repeat: 2,
            expect: { text: index % 2 === 0 ? 'all' : '?' },
          },
        ]
      : []),
    ...(index % 8 === 1 ? [matched(index)] : []),
    ...(index % 4 === 0 ? [{ name: 'last', message: '{{rows[1].message.messageId ?? ask.message.messageId}}', expect: {} }] : []),
  ].filter(request => index % 20 !== 3 || !('each' in request));
  const known: object[] =
    index % 5 === 0
      ? requests
      : requests.map(one => JSON.parse(JSON.stringify(one).replace('rows[1].message.messageId ?? ', '')) as object);
  if (index % 6 === 1) known[0] = { ...known[0], after: 'hello', message: `{{shared}} n${index}` };
  const own = { ...(index % 2 === 0 ? {} : { agent }), ...(index % 6 === 1 && { import: '../shared/hello.md' }) };
  if (index % 3 !== 0) return { name: `sub/f${index}.a2a`, text: JSON.stringify({ ...own, requests: known }, null, 2) };
  const fences = known.map(one => `\`\`\`a2a\n${JSON.stringify(one)}\n\`\`\`\n`);
  return {
    name: `sub/f${index}.md`,
    text: `# ${index}\n\n\`\`\`a2a\n${JSON.stringify({ agent })}\n\`\`\`\n\n${fences.join('\ntext\n\n')}`,
  };
}

suite('a hundred request files, some of them Markdown', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('come out in a terminal as they do in the editor', async () => {
    const agent = await open.agent(echo);
    const files = Array.from({ length: 100 }, (_, index) => fileOf(index, agent.url));
    const defaults = { agent: agent.url };
    const cwd = await program.workspace({
      'a2a.defaults.json': defaults,
      'shared/hello.md': '```a2a\n{ "name": "hello", "message": "{{shared}}", "variables": { "shared": "from there" } }\n```\n',
      ...Object.fromEntries(files.map(({ name, text }) => [name, text])),
    });
    const { status, out, err } = await program.run(['run', 'sub', '--reporter', 'json', '--parallel', '4'], { cwd });
    assert.deepEqual([status, err], [1, '']);
    const inTerminal = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly verdict?: string; readonly name: string; readonly file: string })
      .filter(({ verdict }) => verdict !== undefined)
      .map(({ verdict, name, file }) => `${file} ${name}: ${verdict}`);

    const fail = (error: unknown): never => assert.fail(String(error));
    const store = openStore(':memory:');
    const agents = new Agents({ http: open.http(), onError: fail });
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    const inEditor: string[] = [];
    for (const { name } of files) {
      const text = readFileSync(join(cwd, name), 'utf8');
      const around = readDefaults([{ path: 'a2a.defaults.json', text: JSON.stringify(defaults) }]);
      const options = { bounded: true, markdown: name.endsWith('.md'), defaults: around };
      const sources = {
        shown: (path: string) => path,
        text: async (path: string) => readFileSync(path, 'utf8'),
        defaults: async () => around,
      };
      const imports = await readImports(readRequestFile(text, options), { folder: join(cwd, 'sub'), sources });
      const file = readRequestFile(text, { ...options, imports });
      assert.equal(file.imports.length, /"import"/.test(text) ? 1 : 0);
      assert.deepEqual(
        file.problems.filter(({ severity }) => severity === 'error'),
        [],
        name,
      );
      const outcomes = await new RequestRuns({ agents, contexts }, fail).sendAll(file);
      for (const [index, outcome] of outcomes.entries())
        for (const row of outcome.rows ?? [{ label: '', outcome }]) {
          const ok = row.outcome.expectations?.every(one => one.ok) ?? row.outcome.problem === undefined;
          inEditor.push(`${name} ${file.requests[index]!.name}${row.label === '' ? '' : ` [${row.label}]`}: ${ok ? 'passed' : 'failed'}`);
        }
    }
    contexts.dispose();
    agents.dispose();
    store.close();
    assert.ok(inEditor.length > 240 && inEditor.some(one => one.endsWith('failed')), String(inEditor.length));
    assert.deepEqual(inTerminal.sort(), inEditor.sort());
  });
});
