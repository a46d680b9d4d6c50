import { interfaceTitle, type CheckReport, type CheckResult } from '../../conformance/checkReport.ts';
import { unanswered } from '../../conformance/checkSummary.ts';
import { evidenceFor, headerLine } from '../../conformance/reports/checkEvidence.ts';
import { checkRemarks, placeWords, verdictLine, verdictWords } from '../../conformance/reports/checkWords.ts';
import { resumeColumns, resumeSections, outcomeOfRow } from '../../conformance/reports/resumeWords.ts';
import { english, inTerminal } from '../../protocol/problem.ts';
import { oneLine, quoted } from '../terminal/output.ts';
import { badVerdicts, type Verdict } from '../../conformance/rules/rule/verdict.ts';

const marks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  disputed: '≈',
  inconclusive: '?',
  'not-testable': '-',
  'not-applicable': '·',
};

/** Longest text of a request that is shown, in UTF-16 code units. */
const maxRequest = 600;

/**
 * For people: each interface with its rules, one line each, and below what is to be looked at what the clause wants, what came and how it is
 * mended. What passed, or could not be asked, is a count unless all is wanted.
 */
export function specReport(report: CheckReport, { verbose }: { readonly verbose: boolean }): string {
  const { agent, interfaces, results } = report;
  const lines = [oneLine(`${agent.name} ${agent.version}  ${agent.url}`)];
  const grouped = unanswered(report);
  for (const [index, entry] of interfaces.entries()) {
    lines.push('', oneLine(interfaceTitle(entry)));
    const about = entry.obstacle ?? entry.remark;
    if (about !== undefined) lines.push(inReport(inTerminal(about)));
    for (const result of results.filter(one => one.interface === index && (verbose || !grouped.has(one))))
      if (verbose || badVerdicts.includes(result.verdict)) lines.push(...resultLines(report, result));
  }
  lines.push(...resumeLines(report));
  lines.push(
    '',
    ...checkRemarks(report).map(inTerminal),
    `${verdictLine(report, english)} in ${((report.endedAt - report.startedAt) / 1000).toFixed(1)} s`,
  );
  if (!verbose && results.some(({ verdict }) => verdict === 'not-testable'))
    lines.push('--verbose lists the rules that passed, and why others could not be tested.');
  return lines.join('\n');
}

/** A table for each interface whose streams were cut. */
function resumeLines(report: CheckReport): readonly string[] {
  return resumeSections(report).flatMap(({ interface: title, rows, remarks }) => {
    const cells = [
      resumeColumns.map(english),
      ...rows.map(row => [String(row.after), english(row.how), `${marks[row.verdict]} ${inTerminal(outcomeOfRow(row))}`]),
    ];
    const widths = [0, 1].map(column => Math.max(...cells.map(row => row[column]!.length)));
    return [
      '',
      oneLine(`Streams cut and resumed over ${title}`),
      ...(rows.length === 0
        ? []
        : cells.map(([event, how, outcome]) => oneLine(`  ${event!.padStart(widths[0]!)}  ${how!.padEnd(widths[1]!)}  ${outcome}`))),
      ...remarks.map(remark => inReport(inTerminal(remark))),
    ];
  });
}

function resultLines(report: CheckReport, result: CheckResult): readonly string[] {
  const { rule, title, verdict, why, remedy, level, section, clause } = result;
  const head = `  ${marks[verdict]} ${rule} ${title} (${level}, section ${section})${verdict === 'fail' || verdict === 'pass' ? '' : `: ${english(verdictWords[verdict])}`}`;
  const said = inReport(inTerminal(why));
  if (verdict === 'pass' || verdict === 'not-applicable' || verdict === 'not-testable' || verdict === 'inconclusive') return [head, said];
  return [head, said, ...evidenceLines(report, result), ...(remedy === undefined ? [] : [inReport(inTerminal(remedy))]), inReport(clause)];
}

function evidenceLines(report: CheckReport, result: CheckResult): readonly string[] {
  const evidence = evidenceFor(report, result);
  if (evidence === undefined) return [];
  const { exchange, marked, text = '', sent, came } = evidence;
  const place = placeWords(result);
  const { request, response, failure } = exchange;
  return [
    `> ${request.method} ${request.url}`,
    ...sent.map(header => `> ${headerLine(header)}`),
    ...(request.body === '' ? [] : [`> ${cut(request.body)}`]),
    ...(response === undefined ? [] : [`< HTTP ${response.status}`]),
    ...came.map(header => `< ${headerLine(header)}`),
    ...(failure === undefined ? [] : [`* ${failure}`]),
    ...(place === undefined ? [] : [`  ${english(place)}:`]),
    ...(marked === undefined
      ? text === ''
        ? []
        : [`< ${cut(text)}`]
      : [`< ${marked.before}»${marked.marked}«${marked.after}`, `  bytes ${marked.bytes[0]} to ${marked.bytes[1]} are between » and «`]),
  ].map(inReport);
}

const cut = (text: string): string => (text.length > maxRequest ? `${text.slice(0, maxRequest).toWellFormed()}…` : text);

const inReport = (text: string): string => `      ${quoted(text, '\n        | ')}`;
