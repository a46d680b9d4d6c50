import * as assert from 'node:assert/strict';
import { forms } from '../../support/protocol/forms.ts';
import { fuzz } from '../../support/protocol/fuzz.ts';
import { keepsUnknownMembers } from '../../support/protocol/unknownMembers.ts';

/** Bodies a generation; the process tests read 100,000. */
const rounds = 500;

suite('fuzz', () => {
  for (const { name, version } of forms) {
    test(`${name}: ${rounds} spoilt bodies are read or refused with a Problem`, () => {
      const { read, refused } = fuzz(version, 0, rounds);
      assert.ok(read > rounds / 2 && refused > 0, `${read} read, ${refused} refused`);
    });

    test(`${name}: unknown members come through, wherever they are`, () => keepsUnknownMembers(version, 0, 300));
  }
});
