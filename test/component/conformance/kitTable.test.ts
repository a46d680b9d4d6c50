import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ruleIds } from '../../../src/protocol/ruleId.ts';
import { rules } from '../../../src/conformance/rules/index.ts';
import { kitRequirements } from '../../support/conformance/kitRequirements.ts';

const page = resolve(import.meta.dirname, '../../../docs/official-kit.md');
const head = '| requirement | rules | comparison |\n| --- | --- | --- |\n';

function rowOf(id: string): string {
  const own = ruleIds.filter(rule => rules[rule].kit.includes(id));
  const [how, why] = kitRequirements[id]!;
  if (how !== 'weaker') assert.equal(own.length === 0, how === 'not automatable', id);
  assert.equal(why === undefined, how === 'covered', id);
  return `| ${id} | ${own.join(', ') || '–'} | ${how}${why === undefined ? '' : `: ${why}`} |`;
}

suite('requirements of the official kit', () => {
  test('the page says of each of the 129 how the rules compare with it', () => {
    const ids = Object.keys(kitRequirements);
    assert.equal(ids.length, 129);
    const table = head + ids.map(rowOf).join('\n');
    const text = readFileSync(page, 'utf8');
    const start = text.indexOf(head);
    assert.notEqual(start, -1, 'the page has no table of requirements');
    if (process.env['A2A_WRITE'] === '1') writeFileSync(page, `${text.slice(0, start)}${table}\n`);
    else assert.equal(text.slice(start), `${table}\n`);
  });

  test('no rule names a requirement that the kit does not have', () => {
    const known = new Set(Object.keys(kitRequirements));
    assert.deepEqual(
      ruleIds.flatMap(id => rules[id].kit.filter(requirement => !known.has(requirement))),
      [],
    );
  });
});
