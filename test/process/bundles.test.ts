import * as assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { productBundles } from '../../esbuild.mjs';

/**
 * In bytes. While an extension is activated VS Code, and every extension that is activated after it, waits for the front door; the house
 * is read and compiled before anything of it is seen, and so is the panel.
 */
const limits: Readonly<Record<string, number>> = { 'extension.cjs': 8_000, 'house.cjs': 900_000, 'chat.js': 250_000 };

suite('what is shipped', () => {
  const outputs = new Map<string, { readonly size: number; readonly from: readonly string[] }>();
  suiteSetup(async () => {
    for (const bundle of productBundles(true)) {
      const { metafile } = await esbuild.build({ ...bundle, write: false, metafile: true, logLevel: 'error' });
      for (const [path, { bytes, inputs }] of Object.entries(metafile.outputs)) outputs.set(path.split('/').at(-1)!, { size: bytes, from: Object.keys(inputs) });
    }
  });

  for (const [name, most] of Object.entries(limits)) {
    test(`${name} is smaller than ${most / 1000} KB`, () => {
      const output = outputs.get(name);
      assert.ok(output !== undefined && output.size < most, `${output?.size} bytes`);
    });
  }

  test('the front door has nothing of the house in it', () => {
    assert.deepEqual(outputs.get('extension.cjs')?.from.toSorted(), ['src/extension.ts', 'src/workbench/agentsTree.ts', 'src/workbench/commands.ts', 'vscode:vscode']);
  });
});
