import type { RuleLevel } from '../../protocol/ruleId.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { interfaceTitle, type CheckReport, type CheckResult } from '../checkReport.ts';
import { matrixOf, summaryOf, type SummaryRow } from '../checkSummary.ts';
import { evidenceFor, headerLine } from './checkEvidence.ts';
import { checkRemarks, failureWords, familyWords, forbidden, placeWords, verdictLine, verdictWords, type Say } from './checkWords.ts';
import { outcomeOfRow, resumeColumns, resumeSections, resumeTitle } from './resumeWords.ts';
import { escapedMarkup as e } from './escapedMarkup.ts';
import { badVerdicts, verdictOrder } from '../rules/rule/verdict.ts';
import { levelWord } from '../../protocol/finding.ts';

const style = `:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:24px;overflow-wrap:anywhere}
table{border-collapse:collapse;margin:12px 0}th,td{border:1px solid #8886;padding:3px 8px;text-align:start;vertical-align:top}
td.n{text-align:end}pre{white-space:pre-wrap;border:1px solid #8886;padding:8px;max-height:30em;overflow:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 12px;margin:8px 0}dt{opacity:.75}dd{margin:0}
details{border-bottom:1px solid #8884;padding:6px 0}summary{cursor:pointer}mark{background:#e5534b66;color:inherit;outline:1px solid #e5534b}
.fail{color:#c4322b;font-weight:600}.warn,.disputed{color:#9a6700}.pass{color:#2d7d32}.muted,.not-testable,.not-applicable,.inconclusive{opacity:.75}
@media(prefers-color-scheme:dark){.fail{color:#ff7b72}.warn,.disputed{color:#e3b341}.pass{color:#7ee787}}`;

/** The report as one page: no script, nothing that is loaded. The page's own policy says so, too. */
export function htmlReport(report: CheckReport, say: Say, language = 'en'): string {
  const { agent, interfaces } = report;
  const t = (message: LocalizedMessage): string => e(say(message));
  const summary = summaryOf(report);
  const shown = verdictOrder.filter(verdict => summary.counts[verdict] > 0);
  const title = t(sentence('A2A conformance of {0}', `${agent.name} ${agent.version}`));
  const table = <Key extends string>(head: LocalizedMessage, rows: readonly SummaryRow<Key>[], named: (key: Key) => string): string =>
    `<table><tr><th>${t(head)}</th>${shown.map(verdict => `<th class="${verdict}">${t(verdictWords[verdict])}</th>`).join('')}</tr>${rows
      .map(
        ({ key, counts }) =>
          `<tr><td>${e(named(key))}</td>${shown.map(verdict => `<td class="n">${counts[verdict] || ''}</td>`).join('')}</tr>`,
      )
      .join('')}</table>`;
  const failed = report.results.filter(({ verdict }) => verdict === 'fail');
  const others = report.results
    .filter(({ verdict }) => verdict !== 'fail')
    .sort((one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict));
  return `<!DOCTYPE html>
<html lang="${e(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="muted">${e(agent.url)} · ${new Date(report.startedAt).toISOString()}</p>
<p><strong${failed.length === 0 ? '' : ' class="fail"'}>${e(verdictLine(report, say))}</strong></p>
${checkRemarks(report)
  .map(each => `<p><strong>${t(each)}</strong></p>`)
  .join('\n')}
${failed.length === 0 ? '' : `<h2>${t(sentence('Failures'))}</h2>\n${failed.map(result => failure(report, result, t)).join('\n')}`}
<h2>${t(sentence('Interfaces'))}</h2>
<ol>${interfaces
    .map(entry => {
      const about = entry.obstacle ?? entry.remark;
      return `<li>${e(interfaceTitle(entry))}${about === undefined ? '' : ` <span class="muted">${t(about)}</span>`}</li>`;
    })
    .join('')}</ol>
${table(sentence('Level'), summary.byLevel, level => t(levelWord(level)))}
${table(sentence('About'), summary.byFamily, key => say(familyWords[key] ?? sentence('{0}', key)))}
<h2>${t(sentence('Rules'))}</h2>
<table><tr><th>${t(sentence('Rule'))}</th><th></th>${interfaces.map((_, index) => `<th>${index + 1}</th>`).join('')}</tr>
${matrixOf(report)
  .map(
    ({ rule, title: wants, level, cells }) =>
      `<tr><td>${rule}</td><td>${forbidden(level)}${t(sentence(wants))}</td>${cells
        .map(cell => (cell === undefined ? '<td></td>' : `<td class="${cell.verdict}">${t(verdictWords[cell.verdict])}</td>`))
        .join('')}</tr>`,
  )
  .join('\n')}</table>
${resume(report, t)}<h2>${t(failed.length === 0 ? sentence('Results') : sentence('Other Results'))}</h2>
${others.map(result => details(report, result, t)).join('\n')}
</body>
</html>
`;
}

type Translate = (message: LocalizedMessage) => string;

/** A table for each interface whose streams were cut; `""` where none was to be. */
function resume(report: CheckReport, t: Translate): string {
  const sections = resumeSections(report).map(
    ({ interface: title, rows, remarks }) => `<h3><span class="muted">${e(title)}</span></h3>
${
  rows.length === 0
    ? ''
    : `<table><tr>${resumeColumns.map(head => `<th>${t(head)}</th>`).join('')}</tr>${rows
        .map(row => `<tr><td class="n">${row.after}</td><td>${t(row.how)}</td><td class="${row.verdict}">${t(outcomeOfRow(row))}</td></tr>`)
        .join('')}</table>`
}
${remarks.map(remark => `<p>${t(remark)}</p>`).join('\n')}
`,
  );
  return sections.length === 0 ? '' : `<h2>${t(resumeTitle)}</h2>\n${sections.join('')}`;
}

/** A failure, shown without a click. */
function failure(report: CheckReport, result: CheckResult, t: Translate): string {
  const { rule, title, level, section, clause, why, remedy, interface: index } = result;
  const row = (name: LocalizedMessage, text: string): string => `<dt>${t(name)}</dt><dd>${text}</dd>`;
  return `<h3><span class="fail">${rule}</span> <span class="muted">${e(interfaceTitle(report.interfaces[index]!))}</span></h3>
<dl>${row(failureWords.wanted(level), t(sentence(title)))}${row(failureWords.came, t(why))}${
    remedy === undefined ? '' : row(failureWords.remedy, t(remedy))
  }${row(failureWords.clause, clauseLink(level, section, clause, t))}</dl>
${evidence(report, result, t)}`;
}

function details(report: CheckReport, result: CheckResult, t: Translate): string {
  const { rule, title, verdict, level, section, clause, why, remedy, interface: index } = result;
  return `<details${badVerdicts.includes(verdict) && verdict !== 'inconclusive' ? ' open' : ''}>
<summary><span class="${verdict}">${t(verdictWords[verdict])}</span> <strong>${rule}</strong> ${t(sentence(title))} <span class="muted">${e(interfaceTitle(report.interfaces[index]!))}</span></summary>
<p>${t(why)}</p>
${remedy === undefined ? '' : `<p>${t(remedy)}</p>`}
<p class="muted">${clauseLink(level, section, clause, t)}</p>
${evidence(report, result, t)}
</details>`;
}

const clauseLink = (level: RuleLevel, section: string, clause: string, t: Translate): string =>
  `${t(levelWord(level))} · <a href="${e(clause)}">${t(sentence('section {0}', section))}</a>`;

/** Request and answer, with the value that decided. */
function evidence(report: CheckReport, result: CheckResult, t: Translate): string {
  const { exchange, marked, text = '', sent = [], came = [] } = evidenceFor(report, result) ?? {};
  if (exchange === undefined) return '';
  const { request, response, failure: reason } = exchange;
  const place = placeWords(result);
  const body =
    marked === undefined
      ? e(text.slice(0, 4_000))
      : `${e(marked.before)}<mark title="${t(sentence('bytes {0} to {1}', ...marked.bytes))}">${e(marked.marked)}</mark>${e(marked.after)}`;
  const asked = [
    `${request.method} ${request.url}`,
    ...sent.map(headerLine),
    ...(request.body === '' ? [] : [request.body.slice(0, 4_000)]),
  ];
  const answered = [response === undefined ? (reason ?? '') : `HTTP ${response.status}`, ...came.map(headerLine)];
  return `<pre>${asked.map(e).join('\n')}</pre>
${place === undefined ? '' : `<p class="muted">${t(place)}</p>\n`}<pre>${answered.map(e).join('\n')}\n${body}</pre>`;
}
