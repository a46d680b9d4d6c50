import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Verdict } from '../../conformance/rules/rule/verdict.ts';
import type { ConformancePageMessage, ConformanceView, EvidenceView, ShownRun, ShownDeviation } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import { visibleIn } from '../text/visible.ts';
import { Matrix } from './matrix.tsx';
import { ResumeTables } from './resumeTables.tsx';
import { Summary } from './summary.tsx';
import { VerdictIcon } from './verdictIcon.tsx';

export type Post = (message: ConformancePageMessage) => void;

/** The conformance of one agent: summary, rules against interfaces, what each verdict rests on, and what ordinary traffic shows. */
export function ConformancePage({
  view,
  evidence,
  post,
}: {
  readonly view: ReadonlySignal<ConformanceView | undefined>;
  readonly evidence: ReadonlySignal<EvidenceView | undefined>;
  readonly post: Post;
}): JSX.Element {
  const own = visibleIn(view.value);
  if (own === undefined) return <main />;
  const { agent, progress, run, runs, deviations } = own;
  return (
    <main>
      <header>
        <h1 dir="auto">{t('Conformance of {0}', agent)}</h1>
        <div class="actions">
          {progress === undefined ? (
            <button type="button" class="primary" onClick={() => post({ type: 'check' })}>
              {run === undefined ? t('Check Conformance') : t('Check Again')}
            </button>
          ) : (
            <button type="button" onClick={() => post({ type: 'stop' })}>
              {t('Stop')}
            </button>
          )}
          {run !== undefined && (
            <button type="button" onClick={() => post({ type: 'export' })}>
              {t('Export…')}
            </button>
          )}
          {runs.length > 1 && (
            <label>
              {t('Run')}{' '}
              <select
                value={String(run?.id ?? '')}
                onChange={({ currentTarget }) => post({ type: 'show', run: Number(currentTarget.value) })}
              >
                {runs.map(({ id, label }) => (
                  <option key={id} value={String(id)}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
      </header>
      <div role="status">
        {progress !== undefined && (
          <p class="progress">
            <progress max={Math.max(1, progress.total)} value={progress.done} /> {progress.what}
          </p>
        )}
      </div>
      {run === undefined ? (
        progress === undefined && <p class="muted">{t('This agent was not checked yet.')}</p>
      ) : (
        <Run key={run.id} run={run} verdicts={own.verdicts} offersFix={own.offersFix} evidence={evidence.value} post={post} />
      )}
      <Deviations of={deviations} post={post} />
    </main>
  );
}

function Run({
  run,
  verdicts,
  offersFix,
  evidence,
  post,
}: {
  readonly run: ShownRun;
  readonly verdicts: ConformanceView['verdicts'];
  readonly offersFix: ConformanceView['offersFix'];
  readonly evidence: EvidenceView | undefined;
  readonly post: Post;
}): JSX.Element {
  const [shown, show] = useState<ReadonlySet<Verdict>>(new Set());
  const [family, choose] = useState('');
  const [words, search] = useState('');
  const [changesAlone, showChanges] = useState(false);
  const toggle = (verdict: Verdict): void => {
    const next = new Set(shown);
    if (!next.delete(verdict)) next.add(verdict);
    show(next);
  };
  const present = (Object.keys(verdicts) as Verdict[]).filter(verdict => run.counts[verdict] > 0);
  return (
    <>
      <p class="when">
        {run.when}
        {run.comparison !== undefined && (
          <button
            type="button"
            class="comparison"
            aria-pressed={changesAlone}
            title={t('Show Only Changes')}
            onClick={() => showChanges(!changesAlone)}
          >
            {run.comparison}
          </button>
        )}
      </p>
      <div class="totals" role="group" aria-label={t('Show Only')}>
        {present.map(verdict => (
          <button key={verdict} type="button" class={`total ${verdict}`} aria-pressed={shown.has(verdict)} onClick={() => toggle(verdict)}>
            <VerdictIcon verdict={verdict} /> <strong>{run.counts[verdict]}</strong>{' '}
            {verdict === 'warn' && run.counts.warn !== 1 ? t('warnings') : verdicts[verdict]}
          </button>
        ))}
      </div>
      {run.remarks.map(remark => (
        <p key={remark} class="remark">
          {remark}
        </p>
      ))}
      {run.resume !== undefined && <ResumeTables of={run.resume} />}
      <Summary run={run} verdicts={verdicts} present={present} />
      <div class="filters">
        <input
          type="search"
          placeholder={t('Search rules')}
          aria-label={t('Search rules')}
          value={words}
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
        <select aria-label={t('About')} value={family} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{t('All subjects')}</option>
          {run.families.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Matrix
        run={run}
        verdicts={verdicts}
        offersFix={offersFix}
        evidence={evidence}
        post={post}
        shown={shown}
        family={family}
        words={words}
        changesAlone={changesAlone}
      />
    </>
  );
}

/** Deviations in ordinary traffic with the agent, by rule. */
function Deviations({ of: deviations, post }: { readonly of: readonly ShownDeviation[]; readonly post: Post }): JSX.Element | null {
  if (deviations.length === 0) return null;
  return (
    <section class="deviations">
      <h2>{t('Seen in Chats and Requests')}</h2>
      <ul>
        {deviations.map(({ rule, title, level, count, last, message, exchangeId }) => (
          <li key={rule}>
            <button type="button" class="link" title={t('Show Last Exchange')} onClick={() => post({ type: 'exchange', id: exchangeId })}>
              <code>{rule}</code> {title}
            </button>
            <span class="count">{count === 1 ? t('once') : t('{0} times', count)}</span>
            <span class="level">{level}</span>
            <p class="muted" dir="auto">
              {last} · {message}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
