import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** Who may import whom: the picture in CONTRIBUTING.md, checked. A box always sees itself. */
const sees: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  schema: ['protocol'],
  client: ['protocol', 'schema'],
  store: ['protocol', 'schema'],
  request: ['protocol', 'schema'],
  card: ['protocol', 'request/text/jsonNode.ts', 'request/text/textRange.ts'],
  mock: [
    ...['protocol', 'receiver/loopbackServer.ts', 'receiver/requestGuard.ts', 'client/http/parseJson.ts'],
    ...['packages', 'bundle/served', 'bundle/errorDetails'].map(name => `client/grpc/${name}.ts`),
  ],
  recording: ['protocol', 'mock', 'card/convertCard.ts'],
  receiver: ['protocol', 'client/wireLog/maskedHeaders.ts'],
  auth: ['protocol', 'client'],
  conformance: ['protocol', 'client'],
  model: ['protocol', 'schema', 'client', 'auth', 'store', 'request', 'mock', 'receiver', 'recording'],
  assistant: [
    'protocol',
    'model',
    'request',
    'recording/compare/comparedRun.ts',
    'recording/compare/comparison.ts',
    'recording/compare/lineDiff.ts',
    'conformance/rules/loadedRules.ts',
    'conformance/rules/rule/rule.ts',
  ],
  chat: [
    'conformance/rules/rule/verdict.ts',
    'protocol/finding.ts',
    'protocol/json/depth.ts',
    'protocol/exactNumber.ts',
    'protocol/json/duplicateMember.ts',
    'protocol/json/exactJson.ts',
    'protocol/hiddenCharacters.ts',
    'protocol/mendedByCard.ts',
    'protocol/mendedBySignIn.ts',
    'protocol/mendedWithoutStream.ts',
    'protocol/problem.ts',
    'protocol/secrets/withoutSecrets.ts',
    'protocol/message/assistantSentence.ts',
    'protocol/message/statusTexts.ts',
    'protocol/message/statusEntries.ts',
  ],
  workbench: [
    'protocol',
    'schema',
    'conformance/rules/loadedRules.ts',
    'conformance/rules/rule/rule.ts',
    'mock/chosenFault.ts',
    'mock/faults.ts',
    'model',
    'recording',
    'client/http/parseJson.ts',
    'assistant',
    'request',
    'card',
    'chat/host/messages.ts',
    'chat/host/chatState.ts',
    'chat/host/draft.ts',
    'chat/host/limits.ts',
    'chat/host/keptState.ts',
    'chat/host/requests.ts',
    'chat/host/taskGraphMessages.ts',
    'chat/host/cardMessages.ts',
    'chat/host/comparisonMessages.ts',
    'chat/host/conformanceMessages.ts',
    'chat/host/responseMessages.ts',
  ],
  'extension.ts': ['main.ts', 'workbench/agentsView/agentsTree.ts', 'workbench/platform/commands.ts'],
  'main.ts': ['protocol', 'client', 'auth', 'store', 'request', 'card', 'mock', 'model', 'workbench', 'conformance'],
  cli: [
    'protocol',
    'client',
    'auth',
    'store',
    'request',
    'receiver',
    'mock/chosenFault.ts',
    'mock/faults.ts',
    'recording',
    'model',
    'assistant',
    'conformance',
  ],
  'cli.ts': ['protocol', 'client', 'conformance/rules/loadedRules.ts', 'cli'],
};

/** What a box may import for its types alone. */
const seesTypes: Readonly<Record<string, readonly string[]>> = {
  chat: ['protocol', 'schema', 'recording/compare/comparison.ts'],
  assistant: ['conformance', '../api/a2a-workbench.d.ts'],
  mock: ['client'],
  recording: ['client'],
  workbench: ['client', 'auth', 'mock', 'store', 'conformance', '../api/a2a-workbench.d.ts'],
  'extension.ts': ['workbench/register.ts', '../api/a2a-workbench.d.ts'],
};

/** The folders of a box (`.` is the box itself): each imports only from those before it, types too. */
const folders: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    '.',
    'card',
    'card/checks',
    'json',
    'message',
    'secrets',
    'versions/shared',
    'versions/v0_3',
    'versions/v0_1',
    'versions/taskRest',
    'versions',
  ],
  schema: ['.', 'forms'],
  client: [
    'grpc/bundle',
    'wireLog',
    'network',
    'dispatcher',
    'http',
    'sse',
    'transport',
    'grpc',
    'httpJson',
    'jsonRpc',
    'taskRest',
    'interfaces',
    'card/signatures',
    'card',
    'doctor',
    '.',
  ],
  auth: ['.', 'oauth', 'signIns', 'doctor', 'bundle'],
  store: ['database', 'texts', 'rows', 'changes', 'search', 'lists', 'schema', 'transfer', '.'],
  request: ['text', 'values', 'environment', 'expect', 'template', 'file', 'import', 'resolve', 'export', 'schema', 'check', 'language'],
  card: ['.'],
  assistant: ['.'],
  model: ['mocks', 'fold', 'wire', 'taskGraph', '.', 'agents', 'run', 'contexts', 'memory', 'notifications', 'requests', 'again'],
  recording: ['.', 'compare'],
  chat: [
    'text',
    'host',
    'cardPage',
    'comparisonPage',
    'conformancePage',
    'transcript',
    'draft',
    'panel',
    'widgets',
    'find',
    'forms',
    'compose',
    'markdown',
    'parts',
    'responsePage',
    'entries',
    'tasks',
    'timeline',
    'wire',
    'view',
    '.',
  ],
  workbench: [
    'help',
    'platform',
    'network',
    'agentsView',
    'chat/drafts',
    'documents',
    'agentCards',
    'signIn',
    'agents',
    'debug',
    'conformance',
    'requests/session',
    'requests/response',
    'requests/values',
    'requests/language',
    'requests/sending',
    'requests/sent',
    'requests/testing',
    'requests',
    'chat',
    'compare',
    'history',
    'again',
    'push',
    'assistant',
    '.',
  ],
  conformance: [
    'rules/rule',
    'rules/card',
    'rules/sign',
    'rules/ext',
    'rules/auth',
    'rules/ver',
    'rules/rpc',
    'rules/http',
    'rules/grpc',
    'rules/data',
    'rules/core',
    'rules/list',
    'rules/strm',
    'rules/push',
    'rules/eq',
    'rules',
    'port',
    'resume',
    '.',
    'reports',
    'bundle',
  ],
  cli: ['terminal', 'auth', 'card', 'chat', 'run/reporters', 'run', 'check', 'mcp', '.'],
};

/** Most files of one folder. */
const maxFiles = 25;

/** Packages and modules that belong to certain boxes alone. */
const owners: readonly (readonly [module: RegExp, boxes: readonly string[]])[] = [
  [/^vscode$/, ['workbench', 'extension.ts', 'main.ts']],
  [/^undici(\/|$)/, ['client']],
  [/^(@bufbuild|@connectrpc)\//, ['client']],
  [/^ws$/, ['client', 'mock']],
  [/^(jose|canonicalize)$/, ['client']],
  [/^oauth4webapi$/, ['auth']],
  [/^@modelcontextprotocol\//, ['cli']],
  [/^node:sqlite$/, ['store']],
  [/^jsonc-parser$/, ['request', 'card']],
  [/^vscode-(json-languageservice|languageserver-textdocument)$/, ['request']],
  [/^(preact|@preact\/.*|marked|highlight\.js)(\/|$)/, ['chat']],
  [
    /^zod$/,
    [
      'protocol',
      'client',
      'auth',
      'store',
      'request',
      'model',
      'assistant',
      'workbench',
      'main.ts',
      'cli',
      'mock',
      'recording',
      ...['cardMessages', 'comparisonMessages', 'conformanceMessages', 'draft', 'keptState', 'requests', 'responseMessages'].map(
        name => `chat/host/${name}.ts`,
      ),
    ],
  ],
  // What starts programs: a script of this extension with no argument from anywhere, and what a person's launch configuration names.
  [/^node:child_process$/, ['workbench/agents/sampleProcess.ts', 'workbench/debug/agentProcess.ts']],
];

const pure = ['protocol', 'schema', 'chat'];

/** Bundles of their own: what is in them is not shared with the rest, so that they take its types alone. */
const apart = ['client/grpc/bundle/', 'client/dispatcher/'];
/** What these bundles have a second time: functions without a state, and errors that are recognized by their names. */
const mayBeTwice = ['protocol/problem.ts', 'client/network/errorCode.ts', 'client/network/proxyFailure.ts'];

const importStatement = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;
const src = resolve(import.meta.dirname, '../../src');
const name = (file: string): string => relative(src, file).replaceAll('\\', '/');
const box = (file: string): string => name(file).split('/')[0] ?? '';
const folder = (file: string): string => name(file).split('/').slice(1, -1).join('/') || '.';

function fault(file: string, specifier: string, typeOnly: boolean): string | undefined {
  const from = box(file);
  if (specifier.startsWith('.')) {
    const to = resolve(dirname(file), specifier);
    const bundle = apart.find(folder => name(file).startsWith(folder));
    if (
      bundle !== undefined &&
      !typeOnly &&
      !name(to).startsWith(bundle) &&
      !(bundle === 'client/dispatcher/' && mayBeTwice.includes(name(to)))
    )
      return `must not share ${name(to)}`;
    const allowed = [from, ...(sees[from] ?? []), ...(typeOnly ? (seesTypes[from] ?? []) : [])];
    const order = box(to) === from ? folders[from] : undefined;
    if (order !== undefined && order.indexOf(folder(to)) > order.indexOf(folder(file)))
      return `must not import the folder ${name(dirname(to))}`;
    return allowed.includes(box(to)) || allowed.includes(name(to)) ? undefined : `must not import ${name(to)}`;
  }
  if (pure.includes(from) && specifier.startsWith('node:')) return `must not do I/O: ${specifier}`;
  const owned = owners.find(([module]) => module.test(specifier));
  return owned === undefined || owned[1].includes(from) || owned[1].includes(name(file)) ? undefined : `must not import ${specifier}`;
}

suite('architecture', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: src })
    .map(file => resolve(src, file))
    .filter(file => !file.endsWith('.d.ts'));

  test('every box of the picture is there, and none besides', () => {
    assert.deepEqual(
      [...new Set(files.map(box))].filter(found => sees[found] === undefined),
      [],
    );
    const missing = Object.keys(sees).filter(wanted => !files.some(file => box(file) === wanted));
    assert.deepEqual(missing, []);
  });

  test('every folder of a box has its place among the others, and few enough files', () => {
    const count = new Map<string, number>();
    for (const file of files.filter(each => name(each).includes('/')))
      count.set(dirname(name(file)), (count.get(dirname(name(file))) ?? 0) + 1);
    const found = files
      .filter(file => name(file).includes('/') && folders[box(file)]?.includes(folder(file)) !== true && folder(file) !== '.')
      .map(name);
    assert.deepEqual(found, []);
    for (const [one, order] of Object.entries(folders))
      assert.deepEqual(
        order.filter(each => !files.some(file => box(file) === one && folder(file) === each)),
        [],
      );
    assert.deepEqual(
      [...count].filter(([, files]) => files > maxFiles),
      [],
    );
  });

  test('every file imports only what its box may see', () => {
    const faults = files.flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(importStatement)].flatMap(([, type, fixed, dynamic]) => {
        const found = fault(file, fixed ?? dynamic ?? '', type !== undefined);
        return found === undefined ? [] : [`${name(file)} ${found}`];
      }),
    );
    assert.deepEqual(faults, []);
  });

  test('the rule itself catches what it should', () => {
    assert.match(fault(resolve(src, 'model/fold/foldedTask.ts'), '../run/run.ts', true) ?? '', /must not import the folder/);
    assert.equal(fault(resolve(src, 'model/run/run.ts'), '../fold/foldedTask.ts', false), undefined);
    assert.match(fault(resolve(src, 'protocol/message/task.ts'), '../../client/sse/sse.ts', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'model/agents/agents.ts'), 'vscode', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'chat/main.tsx'), '../protocol/task.ts', false) ?? '', /must not import/);
    assert.equal(fault(resolve(src, 'chat/main.tsx'), '../protocol/task.ts', true), undefined);
    assert.match(fault(resolve(src, 'client/grpc/bundle/wire.ts'), '../problem.ts', false) ?? '', /must not share/);
    assert.match(fault(resolve(src, 'workbench/platform/log.ts'), '../../store/taskStore.ts', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'protocol/message/task.ts'), 'node:fs', false) ?? '', /I\/O/);
  });

  test('a run of the terminal program is given its process, and keeps nothing in modules', () => {
    const state = /\bprocess\.(?:std(?:in|out|err)|env|cwd|chdir|exitCode)\b|^(?:export )?let /m;
    const found = files.filter(file => box(file) === 'cli' && state.test(readFileSync(file, 'utf8'))).map(name);
    assert.deepEqual(found, ['cli/terminal/process.ts']);
  });

  test('no two files of one box import each other in a circle', () => {
    const graph = new Map(
      files.map(file => [
        file,
        [...readFileSync(file, 'utf8').matchAll(importStatement)]
          .filter(([, type, fixed]) => type === undefined && (fixed ?? '').startsWith('.'))
          .map(([, , fixed]) => resolve(dirname(file), fixed ?? '')),
      ]),
    );
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), `circle: ${[...path, file].map(name).join(' > ')}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });
});
