import { pipelineCommand } from '../../../protocol/pipelineCommand.ts';
import { findingLine } from '../../../request/expect/findings.ts';
import { failureText, type RunResult } from './runResult.ts';
import type { Verdict } from './verdict.ts';
import type { NewReporter } from './reporter.ts';

/** JUnit XML for CI services: one suite per file, with file and line of each request. Written at the end. */
export const junit: NewReporter = write => ({
  result: () => {},
  end: (results, { ms }) => {
    const files = Map.groupBy(results, ({ file }) => file);
    write(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="a2a" ${countsOf(results)} time="${seconds(ms)}">`,
        ...[...files].flatMap(([file, cases]) => [
          `  <testsuite name="${escaped(file)}" file="${escaped(file)}" ${countsOf(cases)} time="${seconds(cases.reduce((sum, one) => sum + one.ms, 0))}">`,
          ...cases.flatMap(testCase),
          '  </testsuite>',
        ]),
        '</testsuites>',
      ].join('\n'),
    );
  },
});

function testCase({
  file,
  line,
  name,
  verdict,
  ms,
  failures,
  agentSaid,
  left,
  description,
  tags = [],
  sent,
  remark,
  findings = [],
}: RunResult): string[] {
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${line}" time="${seconds(ms)}"`;
  const notes = [
    ...(left === true ? ['The agent was still working on the task, which was not followed further.'] : []),
    ...(sent === undefined ? [] : [`It was sent ${sent} times.`]),
    ...(remark === undefined ? [] : [remark]),
    ...findings.map(findingLine),
  ];
  const facts = [...(description === undefined ? [] : [['description', description]]), ...tags.map(tag => ['tag', tag])];
  const properties =
    facts.length === 0
      ? []
      : [
          '      <properties>',
          ...facts.map(([key = '', value = '']) => `        <property name="${key}" value="${escaped(value)}"/>`),
          '      </properties>',
        ];
  const children = notes.length === 0 ? properties : [...properties, `      <system-out>${escaped(notes.join('\n'))}</system-out>`];
  if (verdict === 'passed' || verdict === 'sent')
    return children.length === 0 ? [`${open}/>`] : [`${open}>`, ...children, '    </testcase>'];
  if (notRun.includes(verdict)) {
    const why = failures[0]?.message ?? 'The run was over before its turn.';
    const skipped = `<skipped message="${escaped(why)}"/>`;
    return properties.length === 0 ? [`${open}>${skipped}</testcase>`] : [`${open}>`, ...properties, `      ${skipped}`, '    </testcase>'];
  }
  const element = verdict === 'error' ? 'error' : 'failure';
  return [
    `${open}>`,
    ...properties,
    ...failures.map(
      failure =>
        `      <${element} type="${escaped(failure.kind)}" message="${escaped(failure.message)}">${escaped(`${file}:${failure.line}:${failure.column}: ${failureText(failure, agentSaid)}`)}</${element}>`,
    ),
    ...children.slice(properties.length),
    '    </testcase>',
  ];
}

/** Verdicts that JUnit reports as "skipped". */
const notRun: readonly Verdict[] = ['skipped', 'left-out', 'not-run', 'interrupted'];

/** The counts that JUnit has, with the verdicts they contain. */
const attributes: Readonly<Record<string, readonly Verdict[]>> = { failures: ['failed'], errors: ['error'], skipped: notRun };

const countsOf = (results: readonly RunResult[]): string =>
  Object.entries(attributes).reduce(
    (text, [name, verdicts]) => `${text} ${name}="${results.filter(({ verdict }) => verdicts.includes(verdict)).length}"`,
    `tests="${results.length}"`,
  );

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/**
 * Keeps lines of the agent's text from starting a line here, and defuses commands to CI services. XML 1.0 allows no
 * control characters, lone surrogates, U+FFFE or U+FFFF, not even as entities.
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>"\n\t]/g, character => entities[character] ?? character)
    .replaceAll(pipelineCommand, '&#35;#');
