import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { productBundles } from '../../esbuild.mjs';

const root = resolve(import.meta.dirname, '../..');

/**
 * In bytes. While an extension is activated VS Code, and every extension that is activated after it, waits for the entry point; `main.ts`
 * is read and compiled before anything of it is seen, and so is the panel.
 */
const limits: Readonly<Record<string, number>> = { 'extension.cjs': 8_000, 'main.cjs': 850_000, 'chat.js': 225_000 };

/** A variable, a class, or a table that is filled at run time. */
const hasState = (module: string): boolean =>
  /^(?:export )?(?:let |class |const [^=]+= new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\))/m.test(readFileSync(join(root, module), 'utf8'));

suite('what is shipped', () => {
  const outputs = new Map<
    string,
    { readonly size: number; readonly from: ReadonlyMap<string, number>; readonly loads: readonly string[] }
  >();
  suiteSetup(async () => {
    for (const bundle of productBundles(true)) {
      const { metafile } = await esbuild.build({ ...bundle, write: false, metafile: true, logLevel: 'error' });
      for (const [path, { bytes, inputs, imports }] of Object.entries(metafile.outputs))
        outputs.set(path.split('/').at(-1)!, {
          size: bytes,
          from: new Map(Object.entries(inputs).map(([module, { bytesInOutput }]) => [module, bytesInOutput])),
          loads: imports.map(({ path: loaded }) => loaded.replace(/^\.\//, '')),
        });
    }
  });

  for (const [name, most] of Object.entries(limits)) {
    test(`${name} is smaller than ${most / 1000} KB`, () => {
      const output = outputs.get(name);
      assert.ok(output !== undefined && output.size < most, `${output?.size} bytes`);
    });
  }

  for (const program of ['cli.cjs', 'sampleAgents.cjs']) {
    test(`${program} loads nothing that needs VS Code`, () => {
      const reached = new Set([program]);
      for (const name of reached) for (const loaded of outputs.get(name)?.loads ?? []) reached.add(loaded);
      assert.ok((outputs.get(program)?.size ?? 0) > 0);
      assert.deepEqual(
        [...reached].filter(name => name === 'vscode' || name === 'main.cjs'),
        [],
      );
    });
  }

  // Written out for each of them: what a part has a second time, in bytes.
  for (const [name, most] of Object.entries({
    'accounts.cjs': 1_000,
    'signIn.cjs': 3_000,
    'exchangeText.cjs': 1_000,
    'savedFile.cjs': 3_000,
    'chatExchanges.cjs': 6_000,
    'keptResponse.cjs': 3_000,
    'responseText.cjs': 6_000,
    'responseLenses.cjs': 1_000,
    'responsePreviews.cjs': 1_000,
    'taskText.cjs': 3_000,
    'addAgent.cjs': 2_000,
    'agentTooltips.cjs': 2_000,
    'rareCommands.cjs': 20_000,
    'requestAnswers.cjs': 25_000,
    'requestImports.cjs': 18_000,
    'foldedLines.cjs': 1_000,
    'sendAllRequests.cjs': 1_000,
    'sentRequests.cjs': 1_000,
    'requestCopies.cjs': 2_000,
    'environmentCommands.cjs': 1_000,
    'requestTestRuns.cjs': 2_000,
    'folderDefaults.cjs': 2_000,
    'readImports.cjs': 1_000,
    'cardProblems.cjs': 20_000,
    'cardSchema.cjs': 15_000,
    'chatPanel.cjs': 7_000,
    'cardDoctor.cjs': 5_000,
    'cardReviews.cjs': 1_000,
    'compareInterfaces.cjs': 1_000,
    'extendedCards.cjs': 5_000,
    'historyImport.cjs': 20_000,
    'historyRecovery.cjs': 1_000,
    'notificationReceiver.cjs': 2_000,
    'pushNotifications.cjs': 2_000,
    'taskGraph.cjs': 1_000,
    'taskRest.cjs': 2_000,
  })) {
    test(`${name} has little a second time, and nothing with a state`, () => {
      const main = outputs.get('main.cjs')!.from;
      const twice = [...outputs.get(name)!.from].filter(
        ([module]) => main.has(module) && /^(?:src\/|(?:.*\/)?node_modules\/)/.test(module),
      );
      assert.ok(main.size > 100);
      assert.ok(twice.reduce((sum, [, bytes]) => sum + bytes, 0) < most, twice.join(' '));
      assert.deepEqual(
        twice
          .map(([module]) => module)
          .filter(
            module =>
              (module.startsWith('src/') && hasState(module)) || /zod|workbench\/(?:log|report|settings|shownSecrets)\.ts/.test(module),
          ),
        [],
      );
    });
  }

  // They are made when the product is built (`readySchemas`): zod's code for it would be in what every window compiles.
  test('main.ts and its parts make no JSON schema', () => {
    for (const [name, { from }] of outputs) {
      if (name === 'cli.cjs' || name === 'sampleAgents.cjs') continue;
      assert.ok(!from.has('src/request/schema/jsonSchema.ts'), name);
      const makers = [...from].filter(([module]) => /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(module));
      assert.ok(
        makers.every(([, bytes]) => bytes < 200),
        `${name}: ${makers.join(' ')}`,
      );
    }
  });

  // The tree says by a context key that nothing was opened, also where `main.ts` cannot be loaded.
  test('the entry point has nothing of main.ts in it', () => {
    assert.deepEqual([...(outputs.get('extension.cjs')?.from.keys() ?? [])].toSorted(), [
      'src/extension.ts',
      'src/workbench/agentsView/agentsTree.ts',
      'src/workbench/platform/commands.ts',
      'src/workbench/platform/contextKeys.ts',
      'vscode:vscode',
    ]);
  });
});
