import { sentence } from '../../protocol/problem.ts';
import type { Verdict } from '../../protocol/rules/rule/probe.ts';
import { badVerdicts, familyOf, interfaceTitle, verdictOrder, type CheckReport, type CheckResult } from '../checkReport.ts';
import { matrixOf, summaryOf, type SummaryRow } from '../checkSummary.ts';
import { evidenceFor } from './checkEvidence.ts';
import { checkRemarks, familyWords, forbidden, placeWords, verdictWords, type Say } from './checkWords.ts';
import { visibleText } from './escapedMarkup.ts';

const marks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '⚠',
  disputed: '≈',
  inconclusive: '?',
  'not-testable': '–',
  'not-applicable': '·',
};

/** Text of anybody inside Markdown: neither markup, nor HTML, nor the end of a table's cell. */
const plain = (text: string): string =>
  visibleText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~>-]/g, '\\$&')
    // An address would become a link by itself.
    .replaceAll(/(https?|ftp|www)([:.])/gi, '$1&#8203;$2')
    .replaceAll('@', '&#64;');

/** The same in a block of code, whose fence is longer than any in the text. No text begins a line, spaces aside: reports are printed, too. */
function code(lines: readonly string[]): string {
  const whole = lines
    .map(line =>
      visibleText(line)
        .replaceAll('\n', '\n    | ')
        .replaceAll(/##(?=(?:vso)?\[)/g, '⟨##⟩'),
    )
    .join('\n');
  const longest = Math.max(2, ...[...whole.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${whole}\n${fence}`;
}

/** The report as Markdown: summary, matrix, and each result that is to be looked at, with what came. */
export function markdownReport(report: CheckReport, say: Say): string {
  const { agent, interfaces, results } = report;
  const summary = summaryOf(report);
  const shown = verdictOrder.filter(verdict => summary.counts[verdict] > 0);
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const table = (title: string, rows: readonly SummaryRow<string>[], named: (key: string) => string): string =>
    [
      row([title, ...shown.map(verdict => say(verdictWords[verdict]))]),
      row(['---', ...shown.map(() => '---:')]),
      ...rows.map(({ key, counts }) => row([named(key), ...shown.map(verdict => counts[verdict])])),
    ].join('\n');
  const bad = results.filter(({ verdict }) => badVerdicts.includes(verdict));
  return [
    `# ${say(sentence('A2A conformance of {0}', plain(`${agent.name} ${agent.version}`)))}`,
    `${plain(agent.url)}, ${new Date(report.startedAt).toISOString()}`,
    ...checkRemarks(report).map(each => `**${say(each)}**`),
    interfaces
      .map((entry, index) => {
        const about = entry.obstacle ?? entry.remark;
        return `${index + 1}. ${plain(interfaceTitle(entry))}${about === undefined ? '' : `: ${plain(say(about))}`}`;
      })
      .join('\n'),
    table(say(sentence('Level')), summary.byLevel, key => key),
    table(say(sentence('About')), summary.byFamily, key => say(familyWords[key] ?? sentence('{0}', key))),
    `## ${say(sentence('Rules'))}`,
    [
      row([say(sentence('Rule')), ...interfaces.map((_, index) => String(index + 1)), '']),
      row(['---', ...interfaces.map(() => ':---:'), '---']),
      ...matrixOf(report).map(({ rule, title, level, cells }) =>
        row([
          rule,
          ...cells.map(cell => (cell === undefined ? '' : marks[cell.verdict])),
          plain(`${forbidden(level)}${say(sentence(title))}`),
        ]),
      ),
    ].join('\n'),
    verdictOrder.map(verdict => `${marks[verdict]} ${say(verdictWords[verdict])}`).join(', '),
    ...bad.flatMap(result => details(report, result, say)),
    '',
  ].join('\n\n');
}

function details(report: CheckReport, result: CheckResult, say: Say): readonly string[] {
  const { rule, title, verdict, level, section, clause, why, remedy, interface: index } = result;
  const evidence = evidenceFor(report, result);
  const { request, response, failure } = evidence?.exchange ?? {};
  const { marked, text } = evidence ?? {};
  const place = placeWords(result);
  return [
    `### ${rule}: ${say(verdictWords[verdict])}`,
    `${plain(say(sentence(title)))}. ${say(familyWords[familyOf(rule)] ?? sentence('{0}', rule))}, ${level}, [${say(sentence('section {0}', section))}](${clause}). ${plain(interfaceTitle(report.interfaces[index]!))}`,
    plain(say(why)),
    ...(remedy === undefined ? [] : [plain(say(remedy))]),
    ...(request === undefined
      ? []
      : [
          code([
            `> ${request.method} ${request.url}`,
            ...(request.body === '' ? [] : [`> ${request.body.slice(0, 2_000)}`]),
            ...(response === undefined ? [] : [`< HTTP ${response.status}`]),
            ...(failure === undefined ? [] : [`< ${failure}`]),
            ...(place === undefined ? [] : [`< (${say(place)})`]),
            ...(marked !== undefined
              ? [`< ${marked.before}⟦${marked.marked}⟧${marked.after}`]
              : text === undefined || text === ''
                ? []
                : [`< ${text.slice(0, 2_000)}`]),
          ]),
          ...(marked === undefined ? [] : [say(sentence('⟦ ⟧ are bytes {0} to {1} of what came.', ...marked.bytes))]),
        ]),
  ];
}
