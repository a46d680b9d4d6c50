import * as assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { familyOf } from '../../../src/conformance/checkReport.ts';
import { familyWords } from '../../../src/conformance/reports/checkWords.ts';
import { clauseOf, sectionOf, type Rule } from '../../../src/conformance/rules/rule/rule.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = resolve(root, 'src/conformance/rules');
const note = '// Written by test/unit/conformance/ruleTables.test.ts from the files of rules.\n\n';

/** The files that have a rule, in the order of their families and of their numbers. */
async function ruleFiles(): Promise<readonly { readonly path: string; readonly rule: Rule }[]> {
  const families = Object.keys(familyWords);
  const order = ({ id }: Rule): number => families.indexOf(familyOf(id)) * 1_000 + Number(/\d+$/.exec(id)?.[0]);
  const found = await Promise.all(
    globSync('*/*.ts', { cwd: folder }).map(async path => {
      const { rule } = (await import(resolve(folder, path))) as { readonly rule?: Rule };
      return rule === undefined ? [] : [{ path: path.replaceAll('\\', '/'), rule }];
    }),
  );
  return found.flat().sort((one, other) => order(one.rule) - order(other.rule));
}

/** How a rule is checked, in the words of the page of rules. */
const waysOf = ({ passive, whileReading, probe, startsWork }: Rule): string =>
  [
    ...((passive ?? whileReading) === undefined ? [] : ['whatever comes']),
    ...(probe === undefined ? [] : [startsWork === true ? 'starts a task' : 'asks']),
  ].join(', ');

suite('tables of rules', () => {
  const lines = (each: readonly string[]): string => each.map(line => `${line}\n`).join('');

  for (const [path, textOf] of [
    [
      'src/conformance/rules/index.ts',
      files =>
        `${note}import type { RuleId } from '../../protocol/ruleId.ts';
${lines(files.map(file => `import { rule as ${basename(file.path, '.ts')} } from './${file.path}';`))}import type { Rule } from './rule/rule.ts';

const all: readonly Rule[] = [
${lines(files.map(file => `  ${basename(file.path, '.ts')},`))}];

/** The conformance rules by id. */
export const rules = Object.fromEntries(all.map(rule => [rule.id, rule])) as Readonly<Record<RuleId, Rule>>;

/** The rule with that id; undefined for one from another version of this product. */
export const ruleOf = (id: string): Rule | undefined => (Object.hasOwn(rules, id) ? rules[id as RuleId] : undefined);
`,
    ],
    [
      'src/protocol/ruleId.ts',
      files =>
        `${note}/** How binding a rule is: the words of the specification (RFC 2119), or \`tool\` where that demands nothing and clients depend on it. */
export type RuleLevel = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'tool';

/** The level of each conformance rule: what is needed of rules without loading them. */
const ruleLevels = {
${lines(files.map(({ rule }) => `  '${rule.id}': '${rule.level}',`))}} as const satisfies Readonly<Record<string, RuleLevel>>;

export type RuleId = keyof typeof ruleLevels;

export const ruleIds = Object.keys(ruleLevels) as RuleId[];

/** The level of the rule with that id; undefined for one from another version of this product. */
export const levelOf = (id: string): RuleLevel | undefined => (Object.hasOwn(ruleLevels, id) ? ruleLevels[id as RuleId] : undefined);

/** True for a rule whose breach fails a check: a MUST or a MUST NOT. */
export const isRequired = (id: string): boolean => levelOf(id)?.startsWith('MUST') === true;
`,
    ],
    [
      'docs/conformance-rules.md',
      files => `# Look up a rule

Find what a rule of the [conformance checks](conformance.md) wants of an agent, by the ID that a finding or a report shows.

| level | breaking it |
|---|---|
| MUST, MUST NOT | fails the check |
| SHOULD, SHOULD NOT | is a warning |
| tool | is a warning: the specification does not demand it, but clients depend on it |

| checked | when |
|---|---|
| whatever comes | on each card, answer and event, in chats and requests too |
| asks | by requests of a check |
| starts a task | by requests of a check that start tasks, once you allow it |

| rule | level | what it says | section | versions | checked |
|---|---|---|---|---|---|
${lines(
  files.map(({ rule }) => {
    const [version] = rule.versions;
    const section = `[${sectionOf(rule, version!)}](${clauseOf(rule, version!)})`;
    return `| ${[rule.id, rule.level, rule.title, section, rule.versions.join(', '), waysOf(rule)].join(' | ')} |`;
  }),
)}`,
    ],
  ] satisfies readonly (readonly [path: string, textOf: (files: Awaited<ReturnType<typeof ruleFiles>>) => string])[])
    test(`${path} is what the files of rules say`, async () => {
      const text = textOf(await ruleFiles());
      if (process.env['A2A_WRITE'] !== undefined) return writeFileSync(resolve(root, path), text);
      assert.equal(readFileSync(resolve(root, path), 'utf8'), text, 'A2A_WRITE=1 npm test -- unit --grep "tables of rules" writes it');
    });
});
