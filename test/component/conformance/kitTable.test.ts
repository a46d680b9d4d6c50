import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ruleIds } from '../../../src/protocol/ruleId.ts';
import { rules } from '../../../src/protocol/rules/index.ts';
import type { Rule } from '../../../src/protocol/rules/rule/rule.ts';
import { kitRequirements, withoutRule } from '../../support/conformance/kitRequirements.ts';

const page = resolve(import.meta.dirname, '../../../docs/conformance-results.md');
const head = '| requirement | what became of it |\n| --- | --- |\n';

function becameOf(id: string): string {
  const own = ruleIds.filter(rule => rules[rule].kit.includes(id));
  const known = withoutRule[id];
  assert.equal(own.length === 0, known !== undefined, id);
  if (known !== undefined) return known;
  const disputes = own.flatMap(rule => (rules[rule] as Rule).disputed ?? []);
  return `${own.join(', ')}${disputes.length === 0 ? '' : `; disputed: ${disputes.join(' ')}`}`;
}

suite('requirements of the official kit', () => {
  test('the page says of each of the 129 what became of it', () => {
    assert.equal(new Set(kitRequirements).size, 129);
    const table = head + kitRequirements.map(id => `| ${id} | ${becameOf(id)} |`).join('\n');
    const text = readFileSync(page, 'utf8');
    const start = text.indexOf(head);
    assert.notEqual(start, -1, 'the page has no table of requirements');
    const end = text.indexOf('\n\n', start);
    if (process.env['A2A_WRITE'] === '1') writeFileSync(page, text.slice(0, start) + table + text.slice(end));
    else assert.equal(text.slice(start, end), table);
  });

  test('no rule names a requirement that the kit does not have', () => {
    const known = new Set(kitRequirements);
    assert.deepEqual(
      ruleIds.flatMap(id => rules[id].kit.filter(requirement => !known.has(requirement))),
      [],
    );
  });
});
