import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { type Verdict, verdictOrder } from '../../conformance/rules/rule/verdict.ts';
import type { ConformanceView, EvidenceView, ShownResult, ShownRun } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import type { Post } from './conformancePage.tsx';
import { VerdictIcon } from './verdictIcon.tsx';
import { visibleIn } from '../text/visible.ts';

interface Row {
  readonly rule: string;
  readonly first: ShownResult;
  /** Index of the result over each interface. */
  readonly cells: readonly (number | undefined)[];
}

/** Rules against interfaces. A cell opens what its verdict rests on. */
export function Matrix({
  run,
  verdicts,
  offersFix,
  evidence,
  post,
  shown,
  family,
  words,
  changesAlone,
}: {
  readonly run: ShownRun;
  readonly verdicts: ConformanceView['verdicts'];
  readonly offersFix: ConformanceView['offersFix'];
  readonly evidence: EvidenceView | undefined;
  readonly post: Post;
  /** Verdicts that are shown; all where it is empty. */
  readonly shown: ReadonlySet<Verdict>;
  /** Family that is shown; all where it is empty. */
  readonly family: string;
  readonly words: string;
  readonly changesAlone: boolean;
}): JSX.Element {
  const [open, show] = useState<number | undefined>(undefined);
  const toggle = (index: number): void => {
    show(open === index ? undefined : index);
    if (open !== index && run.results[index]?.hasExchange === true) post({ type: 'evidence', run: run.id, index });
  };
  // The keyboard has the verdicts, which are buttons. Selecting text to copy it opens nothing.
  const toggleAt = (index: number | undefined): void => {
    if (index !== undefined && getSelection()?.isCollapsed !== false) toggle(index);
  };
  const rows = rowsOf(run).filter(row => fits(row, run, { shown, family, words, changesAlone }));
  if (rows.length === 0) return <p class="muted">{t('No matching rules.')}</p>;
  const columns = run.interfaces.map((_, index) => index).filter(index => rowsOf(run).some(({ cells }) => cells[index] !== undefined));
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">{t('Rule')}</th>
          {columns.map(index => (
            <th key={index} scope="col" title={run.interfaces[index]?.title}>
              {run.interfaces[index]?.short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ rule, first, cells }) => {
          const opened = cells.find(index => index !== undefined && index === open);
          // What is open is closed; of several interfaces the worst verdict is opened.
          const ofRow = opened ?? worstOf(cells, run);
          return (
            <>
              <tr key={rule} class={opened === undefined ? '' : 'open'}>
                <th scope="row" onClick={() => toggleAt(ofRow)}>
                  <code>{rule}</code> <span class="level">{first.level}</span> {first.title}
                </th>
                {columns.map(column => {
                  const index = cells[column];
                  const result = index === undefined ? undefined : run.results[index];
                  return (
                    <td key={column} onClick={() => toggleAt(index ?? ofRow)}>
                      {index !== undefined && result !== undefined && (
                        <button
                          type="button"
                          class={`cell ${result.verdict}`}
                          aria-expanded={open === index}
                          aria-label={t('{0}, {1}: {2}', rule, run.interfaces[column]?.short ?? '', verdicts[result.verdict])}
                          title={result.why}
                          onClick={event => {
                            event.stopPropagation();
                            toggle(index);
                          }}
                        >
                          <VerdictIcon verdict={result.verdict} /> {verdicts[result.verdict]}
                          {result.change !== undefined && <Change of={result.change} />}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
              {opened !== undefined && (
                <tr key={`${rule} details`} class="details">
                  <td colSpan={columns.length + 1}>
                    <Result
                      result={run.results[opened]!}
                      interfaceTitle={run.interfaces[run.results[opened]!.interface]?.title ?? ''}
                      verdicts={verdicts}
                      evidence={evidence?.run === run.id && evidence.index === opened ? evidence : undefined}
                      openClause={() => post({ type: 'clause', run: run.id, index: opened })}
                      fix={offersFix && (() => post({ type: 'fix', run: run.id, index: opened }))}
                    />
                  </td>
                </tr>
              )}
            </>
          );
        })}
      </tbody>
    </table>
  );
}

function Change({ of }: { readonly of: NonNullable<ShownResult['change']> }): JSX.Element | null {
  if (of === 'other') return null;
  return <span class={`change ${of}`}>{of === 'fixed' ? t('fixed') : t('new')}</span>;
}

function rowsOf({ results, interfaces }: ShownRun): readonly Row[] {
  const rows = new Map<string, { readonly first: ShownResult; readonly cells: (number | undefined)[] }>();
  for (const [index, result] of results.entries()) {
    const row = rows.get(result.rule) ?? { first: result, cells: interfaces.map(() => undefined) };
    row.cells[result.interface] = index;
    rows.set(result.rule, row);
  }
  const worst = ({ cells }: { readonly cells: readonly (number | undefined)[] }): number =>
    Math.min(...cells.flatMap(index => (index === undefined ? [] : rankOf(results[index]!))));
  return [...rows]
    .map(([rule, row]) => ({ rule, ...row }))
    .map((row, index) => ({ row, index, rank: worst(row) }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ row }) => row);
}

const worstOf = (cells: Row['cells'], { results }: ShownRun): number | undefined =>
  cells
    .filter(index => index !== undefined)
    .reduce<number | undefined>(
      (worst, index) => (worst === undefined || rankOf(results[index]!) < rankOf(results[worst]!) ? index : worst),
      undefined,
    );

/** Order of results: by verdict, fixed ones before the others that passed. */
const rankOf = ({ verdict, change }: ShownResult): number => (change === 'fixed' ? 3.5 : verdictOrder.indexOf(verdict));

function fits(
  { rule, first, cells }: Row,
  { results }: ShownRun,
  {
    shown,
    family,
    words,
    changesAlone,
  }: {
    readonly shown: ReadonlySet<Verdict>;
    readonly family: string;
    readonly words: string;
    readonly changesAlone: boolean;
  },
): boolean {
  const own = cells.flatMap(index => (index === undefined ? [] : results[index]!));
  const text = `${rule} ${first.title} ${first.level} ${own.map(({ why }) => why).join(' ')}`.toLowerCase();
  return (
    (!changesAlone || own.some(({ change }) => change !== undefined)) &&
    (family === '' || first.family === family) &&
    (shown.size === 0
      ? // A remark above covers all of them; the filter for inconclusive ones shows each.
        own.some(({ isUnanswered }) => isUnanswered !== true) || words !== ''
      : own.some(({ verdict }) => shown.has(verdict))) &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every(word => text.includes(word))
  );
}

/** Details of a verdict: the clause, the evidence with the decisive value marked, and the usual remedy. */
function Result({
  result,
  interfaceTitle,
  verdicts,
  evidence: own,
  openClause,
  fix,
}: {
  readonly result: ShownResult;
  readonly interfaceTitle: string;
  readonly verdicts: ConformanceView['verdicts'];
  readonly evidence: EvidenceView | undefined;
  readonly openClause: () => void;
  /** Undefined where VS Code has no chat. */
  readonly fix: (() => void) | undefined;
}): JSX.Element {
  const evidence = visibleIn(own);
  const { rule, verdict, why, remedy, level, section, before } = result;
  return (
    <section class="result" aria-label={rule}>
      <p dir="auto">{why}</p>
      {remedy !== undefined && (
        <p>
          <span class="codicon codicon-lightbulb" aria-hidden="true" /> {remedy}
        </p>
      )}
      <p class="muted">
        {level} ·{' '}
        <button type="button" class="link" onClick={openClause}>
          {t('Section {0} of the Specification', section)}
        </button>{' '}
        · <span class="address">{interfaceTitle}</span>
        {before !== undefined && before !== verdict && <> · {t('previously: {0}', verdicts[before])}</>}
      </p>
      {fix !== undefined && remedy !== undefined && (
        <button type="button" class="link" onClick={fix}>
          <span class="codicon codicon-sparkle" aria-hidden="true" /> {t('Fix with Chat')}
        </button>
      )}
      {evidence !== undefined && (
        <>
          <pre tabIndex={0} aria-label={t('Request')}>
            {evidence.request}
          </pre>
          <p class="muted">
            {evidence.status}
            {evidence.bytes !== undefined && <> · {evidence.bytes}</>}
          </p>
          <pre tabIndex={0} aria-label={t('Answer')}>
            {evidence.before}
            {evidence.marked !== '' && <mark>{evidence.marked}</mark>}
            {evidence.after}
          </pre>
        </>
      )}
    </section>
  );
}
