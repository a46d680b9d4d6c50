import * as assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { productBundles } from '../../esbuild.mjs';

/** What is read and compiled before anything is seen, in bytes: the extension when it is activated, the panel when it is opened. */
const limits: Readonly<Record<string, number>> = { 'extension.cjs': 900_000, 'chat.js': 250_000 };

suite('what is shipped', () => {
  const sizes = new Map<string, number>();
  suiteSetup(async () => {
    for (const bundle of productBundles(true)) {
      const { outputFiles } = await esbuild.build({ ...bundle, write: false, logLevel: 'error' });
      for (const { path, contents } of outputFiles ?? []) sizes.set(path.split(/[\\/]/).at(-1)!, contents.byteLength);
    }
  });

  for (const [name, most] of Object.entries(limits)) {
    test(`${name} is smaller than ${most / 1000} KB`, () => {
      const size = sizes.get(name);
      assert.ok(size !== undefined && size < most, `${size} bytes`);
    });
  }
});
