import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { productBundles } from '../../esbuild.mjs';

const root = resolve(import.meta.dirname, '../..');

type Output = esbuild.Metafile['outputs'][string];

/** Packages that are read and compiled with their first use: most windows have no agent that needs them. */
const forLater = ['undici', '@bufbuild/protobuf', '@connectrpc/connect', 'oauth4webapi', 'jose', 'ws', 'vscode-json-languageservice'];

/**
 * In bytes, with all that is loaded before it. While an extension is activated VS Code, and every extension that is activated after it,
 * waits for the entry point; `main.ts` is read and compiled before anything of it is seen, and so are the pages. `cli.ts` is all that help
 * and a mistake in the command line need.
 */
const limits: Readonly<Record<string, number>> = {
  'src/extension.ts': 8_000,
  'src/main.ts': 1_400_000,
  'src/cli.ts': 50_000,
  'src/chat/main.tsx': 350_000,
  'src/chat/cardPage/main.tsx': 45_000,
  'src/chat/comparisonPage/main.tsx': 45_000,
  'src/chat/conformancePage/main.tsx': 45_000,
  'src/chat/responsePage/main.tsx': 190_000,
};

suite('what is shipped', () => {
  const outputs = new Map<string, Output>();
  suiteSetup(async () => {
    for (const bundle of productBundles(true)) {
      const { metafile } = await esbuild.build({ ...bundle, write: false, metafile: true, logLevel: 'error' });
      for (const [path, output] of Object.entries(metafile.outputs)) outputs.set(resolve(root, path), output);
    }
  });

  /** The output of an entry point, or of a module that is loaded when it is used, and what it imports. */
  function loadedWith(entryPoint: string, kinds: readonly string[] = ['import-statement']): ReadonlyMap<string, Output> {
    const first = [...outputs].find(([, output]) => output.entryPoint === entryPoint);
    assert.ok(first !== undefined, entryPoint);
    const loaded = new Map([first]);
    for (const [, { imports }] of loaded) {
      for (const { path, kind } of imports) {
        const output = outputs.get(resolve(root, path));
        if (output !== undefined && kinds.includes(kind)) loaded.set(resolve(root, path), output);
      }
    }
    return loaded;
  }

  const modulesOf = (loaded: ReadonlyMap<string, Output>): readonly string[] =>
    [...loaded.values()].flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
    );

  for (const [entryPoint, most] of Object.entries(limits)) {
    test(`${entryPoint} is smaller than ${most / 1000} KB`, () => {
      const size = [...loadedWith(entryPoint).values()].reduce((sum, { bytes }) => sum + bytes, 0);
      assert.ok(size < most, `${size} bytes`);
    });
  }

  for (const entryPoint of ['src/cli.ts', 'examples/agents/kept.ts']) {
    test(`${entryPoint} loads nothing that needs VS Code`, () => {
      const needing = [...loadedWith(entryPoint, ['import-statement', 'dynamic-import'])].filter(([, { imports }]) =>
        imports.some(({ path }) => path === 'vscode'),
      );
      assert.deepEqual(
        needing.map(([path]) => path),
        [],
      );
    });
  }

  // The tree says by a context key that nothing was opened, also where `main.ts` cannot be loaded.
  test('the entry point has nothing of main.ts in it', () => {
    assert.deepEqual(modulesOf(loadedWith('src/extension.ts')).toSorted(), [
      'src/extension.ts',
      'src/workbench/agentsView/agentsTree.ts',
      'src/workbench/platform/commands.ts',
      'src/workbench/platform/contextKeys.ts',
    ]);
  });

  test('what few windows need is loaded when it is used', () => {
    const packages = new Set(
      modulesOf(loadedWith('src/main.ts')).flatMap(name => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
    );
    assert.ok(packages.has('zod'));
    assert.deepEqual(
      forLater.filter(name => packages.has(name)),
      [],
    );
  });

  test('the Model Context Protocol is loaded by its own command alone', () => {
    const isSdk = (name: string): boolean => name.includes('node_modules/@modelcontextprotocol/');
    for (const entryPoint of ['src/main.ts', 'src/cli.ts', 'src/cli/runCommand.ts'])
      assert.deepEqual(modulesOf(loadedWith(entryPoint)).filter(isSdk), []);
    assert.ok(modulesOf(loadedWith('src/cli/mcp/mcpServer.ts')).some(isSdk));
  });

  // A module that imports it makes Node.js evaluate each of its exports, and one of them is a fetch of its own: 50 ms of a processor.
  for (const entryPoint of ['src/main.ts', 'src/cli/runCommand.ts'])
    test(`${entryPoint} is loaded without node:http`, () => {
      const importing = [...loadedWith(entryPoint)].filter(([, { imports }]) =>
        imports.some(({ path, kind }) => kind === 'import-statement' && /^node:https?2?$/.test(path)),
      );
      assert.deepEqual(
        importing.map(([path]) => path),
        [],
      );
    });

  test('pages check nothing that their own host sends: zod is in none', () => {
    for (const page of Object.keys(limits).filter(name => name.startsWith('src/chat/')))
      assert.deepEqual(
        modulesOf(loadedWith(page)).filter(name => name.includes('node_modules/zod/')),
        [],
      );
  });

  // They are made when the product is built: making them takes a fifth of a second.
  test('no JSON schema is made from types', () => {
    const makers = [...outputs].filter(([, { inputs }]) => 'src/request/schema/jsonSchema.ts' in inputs);
    assert.deepEqual(
      makers.map(([path]) => path),
      [],
    );
  });
});
