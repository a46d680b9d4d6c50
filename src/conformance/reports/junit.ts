import { inTerminal } from '../../protocol/problem.ts';
import { interfaceTitle, isMust, type CheckReport, type CheckResult } from '../checkReport.ts';
import { evidenceFor, headerLine } from './checkEvidence.ts';
import { boundRemark, placeWords } from './checkWords.ts';
import { outcomeOfRow, resumeSections } from './resumeWords.ts';
import { escapedMarkup as written } from './escapedMarkup.ts';

/**
 * JUnit XML: a suite for each interface, a case for each rule. A MUST that is broken is a failure; what was not decided is skipped. That a run
 * reached a bound is an error, in a suite of its own: it is not known what the missing verdicts would be. Streams that were cut are a suite for each
 * interface, too, a case for each cut; what was lost is a failure.
 */
export function junitReport(report: CheckReport): string {
  const { interfaces, results, startedAt, endedAt } = report;
  const time = ((endedAt - startedAt) / 1000).toFixed(3);
  const suites = interfaces.flatMap((entry, index) => {
    const own = results.filter(result => result.interface === index);
    const name = written(interfaceTitle(entry));
    return own.length === 0
      ? []
      : [`  <testsuite name="${name}" ${counts(own)}>`, ...own.flatMap(result => testCase(report, result, name)), '  </testsuite>'];
  });
  const cuts = resumeSections(report).filter(({ rows }) => rows.length > 0);
  const ended = boundRemark(report);
  const name = written(`a2a check ${report.agent.name}`);
  const errors = ended === undefined ? 0 : 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${counts(
      results,
      errors,
      cuts.flatMap(({ rows }) => rows),
    )} time="${time}">`,
    ...suites,
    ...cuts.flatMap(section => resumeSuite(section)),
    ...(ended === undefined
      ? []
      : [
          `  <testsuite name="${name}" ${counts([], errors)}>`,
          `    <testcase name="The check is complete" classname="${name}"><error message="${written(inTerminal(ended))}"/></testcase>`,
          '  </testsuite>',
        ]),
    '</testsuites>',
    '',
  ].join('\n');
}

const hasFailed = ({ verdict, level }: CheckResult): boolean => verdict === 'fail' && isMust(level);
const isSkipped = ({ verdict }: CheckResult): boolean =>
  verdict === 'not-applicable' || verdict === 'not-testable' || verdict === 'inconclusive';

type Cuts = ReturnType<typeof resumeSections>[number];

const isFailure = ({ verdict }: Cuts['rows'][number]): boolean => verdict === 'fail';

const counts = (results: readonly CheckResult[], errors = 0, cuts: Cuts['rows'] = []): string =>
  `tests="${results.length + errors + cuts.length}" failures="${results.filter(hasFailed).length + cuts.filter(isFailure).length}" errors="${errors}" skipped="${results.filter(isSkipped).length}"`;

function resumeSuite({ interface: title, rows }: Cuts): readonly string[] {
  const name = written(`${title} streams cut and resumed`);
  return [
    `  <testsuite name="${name}" ${counts([], 0, rows)}>`,
    ...rows.flatMap(row => {
      const open = `    <testcase name="Stream cut after event ${row.after}" classname="${name}"`;
      const said = written(inTerminal(outcomeOfRow(row)));
      if (row.verdict === 'pass') return [`${open}/>`];
      return [`${open}>${isFailure(row) ? `<failure message="${said}"/>` : `<system-out>${said}</system-out>`}</testcase>`];
    }),
    '  </testsuite>',
  ];
}

function testCase(report: CheckReport, result: CheckResult, suite: string): readonly string[] {
  const { rule, title, verdict, why, level, section, clause, remedy } = result;
  const open = `    <testcase name="${written(`${rule} ${title}`)}" classname="${suite}"`;
  if (verdict === 'pass') return [`${open}/>`];
  const said = inTerminal(why);
  if (isSkipped(result)) return [`${open}><skipped message="${written(`${verdict}: ${said}`)}"/></testcase>`];
  const { exchange, marked, sent = [], came = [] } = evidenceFor(report, result) ?? {};
  const place = placeWords(result);
  const details = [
    `${level}, section ${section}: ${clause}`,
    said,
    ...(remedy === undefined ? [] : [inTerminal(remedy)]),
    ...(exchange === undefined ? [] : [`${exchange.request.method} ${exchange.request.url}`]),
    ...sent.map(header => `> ${headerLine(header)}`),
    ...came.map(header => `< ${headerLine(header)}`),
    ...(place === undefined || exchange === undefined ? [] : [inTerminal(place)]),
    ...(marked === undefined ? [] : [`bytes ${marked.bytes.join('-')}: ${marked.marked}`]),
  ].join('\n');
  return hasFailed(result)
    ? [`${open}>`, `      <failure type="${rule}" message="${written(said)}">${written(details)}</failure>`, '    </testcase>']
    : [`${open}>`, `      <system-out>${written(`${verdict}: ${details}`)}</system-out>`, '    </testcase>'];
}
