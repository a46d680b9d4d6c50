import type { JSX } from 'preact';
import type { Verdict } from '../../conformance/rules/rule/verdict.ts';
import type { ConformanceView, ShownCounts, ShownRun } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import { VerdictIcon } from './verdictIcon.tsx';

/** Number of results per verdict, by level and by subject. */
export function Summary({
  run,
  verdicts,
  present,
}: {
  readonly run: ShownRun;
  readonly verdicts: ConformanceView['verdicts'];
  readonly present: readonly Verdict[];
}): JSX.Element {
  return (
    <details class="summary">
      <summary>{t('By level and subject')}</summary>
      <div class="tables">
        <Table title={t('Level')} rows={run.levels} verdicts={verdicts} present={present} />
        <Table title={t('About')} rows={run.families} verdicts={verdicts} present={present} />
      </div>
    </details>
  );
}

function Table({
  title,
  rows,
  verdicts,
  present,
}: {
  readonly title: string;
  readonly rows: readonly ShownCounts[];
  readonly verdicts: ConformanceView['verdicts'];
  readonly present: readonly Verdict[];
}): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {present.map(verdict => (
            <th key={verdict} scope="col" title={verdicts[verdict]}>
              <VerdictIcon verdict={verdict} /> <span class="word">{verdicts[verdict]}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.title}>
            <th scope="row">{row.title}</th>
            {present.map(verdict => (
              <td key={verdict} class={row.counts[verdict] > 0 ? verdict : 'none'}>
                {row.counts[verdict]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
