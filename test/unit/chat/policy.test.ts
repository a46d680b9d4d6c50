import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { origin, policy } from '../../support/chatHarness/page.ts';

test('chat: the harness has the policy of the real page', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../../src/workbench/platform/webviewHtml.ts'), 'utf8');
  const list = /const policy = \[([^]*?)\]/.exec(source)?.[1] ?? '';
  const real = [...list.matchAll(/(['"`])((?:\\.|(?!\1).)*)\1/g)].map(([, , directive = '']) =>
    directive
      .replaceAll("\\'", "'")
      .replace('${webview.cspSource}', origin)
      .replace(/nonce-\$\{nonce\}/, 'nonce-N'),
  );
  assert.ok(real.length > 8);
  assert.deepEqual(
    policy.map(directive => directive.replace(/nonce-[^']+/, 'nonce-N')),
    real,
  );
});
