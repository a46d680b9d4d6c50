import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultSynopsis } from '../../../src/mock/chosenFault.ts';
import { faultNames, faults, type FaultValue } from '../../../src/mock/faults.ts';
import { english } from '../../../src/protocol/problem.ts';

const path = resolve(import.meta.dirname, '../../../docs/recordings.md');
const header = '| fault | the agent | default |\n|---|---|---|\n';

/** The table of `docs/recordings.md`, from the table of faults. */
const table =
  header +
  faultNames
    .map(name => {
      const value = (faults[name] as { readonly value?: FaultValue }).value;
      return `| \`${faultSynopsis(name)}\` | ${english(faults[name].about)} | ${value?.usual[0] ?? ''} |\n`;
    })
    .join('');

suite('the page of recordings', () => {
  test('has every fault', () => {
    const page = readFileSync(path, 'utf8');
    const at = page.indexOf(header);
    assert.notEqual(at, -1, 'the table of faults is missing');
    const end = page.indexOf('\n\n', at) + 1;
    if (process.env['A2A_WRITE'] === '1') writeFileSync(path, page.slice(0, at) + table + page.slice(end));
    else assert.equal(page.slice(at, end), table, 'run it with A2A_WRITE=1');
  });
});
