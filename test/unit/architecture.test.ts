import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** Who may import whom: the picture in CONTRIBUTING.md, checked. A box always sees itself. */
const sees: Readonly<Record<string, readonly string[]>> = {
  'protocol': [],
  'client': ['protocol'],
  'store': ['protocol'],
  'request': ['protocol'],
  'card': ['protocol', 'request/jsonNode.ts', 'request/textRange.ts'],
  'mock': ['protocol'],
  'model': ['protocol', 'client', 'store', 'request', 'mock'],
  'chat': ['protocol/depth.ts', 'protocol/exactNumber.ts', 'protocol/turning.ts', 'protocol/withoutSecrets.ts', 'protocol/statusTexts.ts', 'protocol/statusEntries.ts'],
  'workbench': ['protocol', 'model', 'request', 'card', 'chat/messages.ts', 'chat/draft.ts', 'chat/taskPicture.ts', 'chat/cardMessages.ts'],
  'extension.ts': ['house.ts', 'workbench/agentsTree.ts', 'workbench/commands.ts'],
  'house.ts': ['protocol', 'client', 'store', 'request', 'mock', 'model', 'workbench'],
  'cli': ['protocol', 'client', 'store', 'request', 'model'],
  'cli.ts': ['protocol', 'client', 'cli'],
};

/** What a box may import for its types alone. */
const seesTypes: Readonly<Record<string, readonly string[]>> = {
  chat: ['protocol'],
  workbench: ['client', 'store'],
};

/** Packages and modules that belong to certain boxes alone. */
const owners: readonly (readonly [module: RegExp, boxes: readonly string[]])[] = [
  [/^vscode$/, ['workbench', 'extension.ts', 'house.ts']],
  [/^undici(\/|$)/, ['client']],
  [/^eventsource-parser(\/|$)/, ['client']],
  [/^(@bufbuild|@connectrpc)\//, ['client']],
  [/^ws$/, ['client', 'mock']],
  [/^node:sqlite$/, ['store']],
  [/^jsonc-parser$/, ['request', 'card']],
  [/^(preact|@preact\/.*|marked|highlight\.js)(\/|$)/, ['chat']],
  [/^zod$/, ['protocol', 'client', 'store', 'request', 'model', 'workbench', 'house.ts', 'cli', 'mock']],
  // What starts programs: one file, which runs a script of this extension with no argument from anywhere.
  [/^node:child_process$/, ['workbench/sampleProcess.ts']],
];

const pure = ['protocol', 'chat'];

/** Bundles of their own: what is in them is not shared with the rest, so that they take its types alone. */
const apart = ['client/grpc/', 'client/dispatcher.ts'];

const importStatement = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;
const src = resolve(import.meta.dirname, '../../src');
const name = (file: string): string => relative(src, file).replaceAll('\\', '/');
const box = (file: string): string => name(file).split('/')[0] ?? '';

function fault(file: string, specifier: string, typeOnly: boolean): string | undefined {
  const from = box(file);
  if (specifier.startsWith('.')) {
    const to = resolve(dirname(file), specifier);
    const bundle = apart.find(folder => name(file).startsWith(folder));
    if (bundle !== undefined && !typeOnly && !name(to).startsWith(bundle)) return `must not share ${name(to)}`;
    const allowed = [from, ...(sees[from] ?? []), ...(typeOnly ? seesTypes[from] ?? [] : [])];
    return allowed.includes(box(to)) || allowed.includes(name(to)) ? undefined : `must not import ${name(to)}`;
  }
  if (pure.includes(from) && specifier.startsWith('node:')) return `must not do I/O: ${specifier}`;
  const owned = owners.find(([module]) => module.test(specifier));
  return owned === undefined || owned[1].includes(from) || owned[1].includes(name(file)) ? undefined : `must not import ${specifier}`;
}

suite('architecture', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: src }).map(file => resolve(src, file)).filter(file => !file.endsWith('.d.ts'));

  test('every box of the picture is there, and none besides', () => {
    assert.deepEqual([...new Set(files.map(box))].filter(found => sees[found] === undefined), []);
    const missing = Object.keys(sees).filter(wanted => !files.some(file => box(file) === wanted));
    assert.deepEqual(missing, []);
  });

  for (const file of files) {
    test(name(file), () => {
      for (const [, type, fixed, dynamic] of readFileSync(file, 'utf8').matchAll(importStatement)) {
        assert.equal(fault(file, fixed ?? dynamic ?? '', type !== undefined), undefined);
      }
    });
  }

  test('the rule itself catches what it should', () => {
    assert.match(fault(resolve(src, 'protocol/task.ts'), '../client/sse.ts', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'model/agents.ts'), 'vscode', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'chat/main.tsx'), '../protocol/task.ts', false) ?? '', /must not import/);
    assert.equal(fault(resolve(src, 'chat/main.tsx'), '../protocol/task.ts', true), undefined);
    assert.match(fault(resolve(src, 'client/grpc/wire.ts'), '../problem.ts', false) ?? '', /must not share/);
    assert.match(fault(resolve(src, 'workbench/log.ts'), '../store/taskStore.ts', false) ?? '', /must not import/);
    assert.match(fault(resolve(src, 'protocol/task.ts'), 'node:fs', false) ?? '', /I\/O/);
  });

  test('no two files of one box import each other in a circle', () => {
    const graph = new Map(files.map(file => [file, [...readFileSync(file, 'utf8').matchAll(importStatement)]
      .filter(([, type, fixed]) => type === undefined && (fixed ?? '').startsWith('.'))
      .map(([, , fixed]) => resolve(dirname(file), fixed ?? ''))]));
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
