import type { JSX } from 'preact';
import type { ConformanceView, EvidenceView, ShownResult } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import { visibleIn } from '../text/visible.ts';

/** Details of a verdict: the clause, the evidence with the decisive value marked, and the usual remedy. */
export function Result({
  result,
  interfaceTitle,
  verdicts,
  evidence: own,
  openClause,
}: {
  readonly result: ShownResult;
  readonly interfaceTitle: string;
  readonly verdicts: ConformanceView['verdicts'];
  readonly evidence: EvidenceView | undefined;
  readonly openClause: () => void;
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
