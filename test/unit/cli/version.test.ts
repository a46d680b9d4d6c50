import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { version } from '../../../src/cli/terminal/version.ts';

suite('the version that a2a says', () => {
  test('is that of the package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
    assert.equal(version, manifest.version);
  });
});
