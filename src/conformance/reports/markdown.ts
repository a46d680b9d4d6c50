import { pipelineCommand } from '../../protocol/pipelineCommand.ts';
import { listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { familyOf, interfaceTitle, type CheckReport, type CheckResult } from '../checkReport.ts';
import { matrixOf, summaryOf, type SummaryRow } from '../checkSummary.ts';
import { evidenceFor, headerLine } from './checkEvidence.ts';
import { checkRemarks, failureWords, familyWords, forbidden, placeWords, verdictLine, verdictWords, type Say } from './checkWords.ts';
import { outcomeOfRow, resumeColumns, resumeSections, resumeTitle } from './resumeWords.ts';
import { visibleText } from './escapedMarkup.ts';
import { badVerdicts, type Verdict, verdictOrder } from '../rules/rule/verdict.ts';
import { levelWord } from '../../protocol/finding.ts';

const marks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '⚠',
  disputed: '≈',
  inconclusive: '?',
  'not-testable': '–',
  'not-applicable': '·',
};

/** Addresses, which Markdown would make links of, as far as they can stand in code inside of a cell; what ends a sentence is none of one. */
const address = /((?:https?|ftp):\/\/|www\.)[^\s`|<>]*[^\s`|<>.,;:!?'")\]]/gi;

/** Text of anybody inside Markdown: neither markup, nor HTML, nor a link, nor the end of a table's cell. Addresses are code, to be copied as they are. */
function plain(text: string): string {
  const visible = visibleText(text).replaceAll(/\s+/g, ' ');
  let written = '';
  let from = 0;
  for (const match of visible.matchAll(address)) {
    written += `${escaped(visible.slice(from, match.index))}\`${match[0]}\``;
    from = match.index + match[0].length;
  }
  return written + escaped(visible.slice(from));
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\*_{}[\]()#+!|~>-]/g, '\\$&')
    .replaceAll('`', '&#96;')
    // What is left of an address, such as a scheme alone.
    .replaceAll(/(https?|ftp|www)([:.])/gi, '$1&#8203;$2')
    .replaceAll('@', '&#64;');

/** The same in a block of code, whose fence is longer than any in the text. No text begins a line, spaces aside: reports are printed, too. */
function code(lines: readonly string[]): string {
  const whole = lines.map(line => visibleText(line).replaceAll('\n', '\n    | ').replaceAll(pipelineCommand, '⟨##⟩')).join('\n');
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
  const table = <Key extends string>(title: string, rows: readonly SummaryRow<Key>[], named: (key: Key) => string): string =>
    [
      row([title, ...shown.map(verdict => say(verdictWords[verdict]))]),
      row(['---', ...shown.map(() => '---:')]),
      ...rows.map(({ key, counts }) => row([named(key), ...shown.map(verdict => counts[verdict])])),
    ].join('\n');
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  const others = results.filter(({ verdict }) => badVerdicts.includes(verdict) && verdict !== 'fail');
  return [
    `# ${say(sentence('A2A conformance of {0}', plain(`${agent.name} ${agent.version}`)))}`,
    `${plain(agent.url)}, ${new Date(report.startedAt).toISOString()}`,
    `**${plain(verdictLine(report, say))}**`,
    ...checkRemarks(report).map(each => `**${plain(say(each))}**`),
    ...(failed.length === 0 ? [] : [`## ${say(sentence('Failures'))}`, ...failed.flatMap(result => failure(report, result, say))]),
    `## ${say(sentence('Interfaces'))}`,
    interfaces
      .map((entry, index) => {
        const about = entry.obstacle ?? entry.remark;
        const title = plain(interfaceTitle(entry));
        return `${index + 1}. ${about === undefined ? title : say(sentence('{0}: {1}', title, plain(say(about))))}`;
      })
      .join('\n'),
    table(say(sentence('Level')), summary.byLevel, level => say(levelWord(level))),
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
    say(listOf(verdictOrder.map(verdict => `${marks[verdict]} ${say(verdictWords[verdict])}`))),
    ...resume(report, say),
    ...(others.length === 0 ? [] : [`## ${say(failed.length === 0 ? sentence('Results') : sentence('Other Results'))}`]),
    ...others.flatMap(result => details(report, result, say)),
    '',
  ].join('\n\n');
}

/** A table for each interface whose streams were cut. */
function resume(report: CheckReport, say: Say): readonly string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const sections = resumeSections(report).flatMap(({ interface: title, rows, remarks }) => [
    `### ${plain(title)}`,
    ...(rows.length === 0
      ? []
      : [
          [
            row(resumeColumns.map(say)),
            row(['---:', '---', '---']),
            ...rows.map(each =>
              row([String(each.after), plain(say(each.how)), `${marks[each.verdict]} ${plain(say(outcomeOfRow(each)))}`]),
            ),
          ].join('\n'),
        ]),
    ...remarks.map(remark => plain(say(remark))),
  ]);
  return sections.length === 0 ? [] : [`## ${say(resumeTitle)}`, ...sections];
}

const clauseLink = ({ level, section, clause }: CheckResult, say: Say): string =>
  `${say(levelWord(level))}, [${say(sentence('section {0}', section))}](${clause})`;

/** A failure: the requirement, the answer, and the clause. */
function failure(report: CheckReport, result: CheckResult, say: Say): readonly string[] {
  const { rule, title, level, why, remedy, interface: index } = result;
  const item = (name: LocalizedMessage, text: string): string => `- **${say(sentence('{0}: {1}', name, '')).trimEnd()}** ${text}`;
  return [
    `### ${say(sentence('{0}: {1}', rule, plain(interfaceTitle(report.interfaces[index]!))))}`,
    [
      item(failureWords.wanted(level), plain(say(sentence(title)))),
      item(failureWords.came, plain(say(why))),
      ...(remedy === undefined ? [] : [item(failureWords.remedy, plain(say(remedy)))]),
      item(failureWords.clause, clauseLink(result, say)),
    ].join('\n'),
    ...evidence(report, result, say),
  ];
}

function details(report: CheckReport, result: CheckResult, say: Say): readonly string[] {
  const { rule, title, verdict, why, remedy, interface: index } = result;
  return [
    `### ${say(sentence('{0}: {1}', rule, verdictWords[verdict]))}`,
    say(
      sentence(
        '{0}. {1}, {2}. {3}',
        plain(say(sentence(title))),
        familyWords[familyOf(rule)] ?? rule,
        clauseLink(result, say),
        plain(interfaceTitle(report.interfaces[index]!)),
      ),
    ),
    plain(say(why)),
    ...(remedy === undefined ? [] : [plain(say(remedy))]),
    ...evidence(report, result, say),
  ];
}

/** Request and answer, with the value that decided. */
function evidence(report: CheckReport, result: CheckResult, say: Say): readonly string[] {
  const { exchange, marked, text = '', sent = [], came = [] } = evidenceFor(report, result) ?? {};
  if (exchange === undefined) return [];
  const { request, response, failure: reason } = exchange;
  const place = placeWords(result);
  return [
    code([
      `> ${request.method} ${request.url}`,
      ...sent.map(header => `> ${headerLine(header)}`),
      ...(request.body === '' ? [] : [`> ${request.body.slice(0, 2_000)}`]),
      ...(response === undefined ? [] : [`< HTTP ${response.status}`]),
      ...came.map(header => `< ${headerLine(header)}`),
      ...(reason === undefined ? [] : [`< ${reason}`]),
      ...(place === undefined ? [] : [`  ${say(place)}:`]),
      ...(marked !== undefined
        ? [`< ${marked.before}⟦${marked.marked}⟧${marked.after}`]
        : text === ''
          ? []
          : [`< ${text.slice(0, 2_000)}`]),
    ]),
    ...(marked === undefined ? [] : [say(sentence('⟦ ⟧ mark bytes {0} to {1} of the received data.', ...marked.bytes))]),
  ];
}
