import type { JSX } from 'preact';
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { FixButton } from '../widgets/fixButton.tsx';
import { placePopover } from '../widgets/popover.ts';
import type { RowFinding } from '../transcript/rowFindings.ts';
import type { Row } from '../transcript/rows.ts';
import { localizedList, t } from '../text/strings.ts';
import { findingsIn } from '../../protocol/finding.ts';
import { visible, visibleName } from '../text/visible.ts';

/**
 * The mark of a row with deviations from the protocol: a single one as its sentence, several as a number. Hover or focus lists them; a press
 * opens the exchange at the deviation.
 */
export function FindingsMark({ row }: { readonly row: Row }): JSX.Element | null {
  const panel = usePanel();
  const whole = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const pointedAt = useRef(false);
  // Keeps the open list at its mark. In the capture phase, because scroll events of elements do not bubble.
  useEffect(() => {
    const onMove = ({ target }: Event): void => {
      if (target !== list.current && list.current?.matches(':popover-open') === true) follow(list.current, whole.current);
    };
    document.addEventListener('scroll', onMove, true);
    window.addEventListener('resize', onMove);
    return () => {
      document.removeEventListener('scroll', onMove, true);
      window.removeEventListener('resize', onMove);
    };
  }, []);
  const findings = useComputed(() => panel.marks.value.get(row.key)).value ?? [];
  const [first] = findings;
  if (first === undefined) return null;
  const open = ({ exchangeId, finding }: RowFinding): void => void panel.ask('openExchange', { exchangeId, finding });
  const show = (): void => {
    if (list.current === null || whole.current === null || list.current.matches(':popover-open')) return;
    list.current.showPopover();
    placePopover(list.current, whole.current.getBoundingClientRect());
  };
  // A popover in the top layer does not count for `:hover` and `:focus-within` of its row.
  const hide = (): void => {
    const focused = document.hasFocus() && whole.current?.contains(document.activeElement) === true;
    if (!pointedAt.current && !focused) list.current?.hidePopover();
  };
  const count = findingsIn(findings);
  const counted = count === 1 ? t('1 protocol finding') : t('{0} protocol findings', count);
  const only = count === 1 ? wordsOf(first) : undefined;
  const label = t('{0}: {1}. Show Exchange', counted, localizedList([...new Set(findings.map(({ rule }) => rule))]));
  return (
    <>
      {findings.flatMap(({ rule, message, ignoredTexts = [] }) =>
        ignoredTexts.map((text, index) => (
          <div key={`${rule} ${message} ${index}`} class="note" dir="auto">
            {t('Sent after the task ended: {0}', visible(text))}
          </div>
        )),
      )}
      <div
        class="findings"
        ref={whole}
        onFocusIn={show}
        onFocusOut={() => setTimeout(hide)}
        onMouseEnter={() => {
          pointedAt.current = true;
          show();
        }}
        onMouseLeave={() => {
          pointedAt.current = false;
          hide();
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') list.current?.hidePopover();
        }}
      >
        <button
          type="button"
          class="findings-mark"
          aria-label={only === undefined ? label : `${only} ${label}`}
          onClick={() => open(first)}
        >
          <Icon name="warning" /> <span class="findings-words one-line">{only ?? counted}</span>
        </button>
        <div class="findings-list" ref={list} popover="manual" role="group" aria-label={t('Protocol findings')}>
          {findings.map(finding => (
            <div key={`${finding.rule} ${finding.message}`} class="finding-row">
              <button type="button" class="finding" onClick={() => open(finding)}>
                <span class="finding-title">
                  <code>{finding.rule}</code> {finding.title}
                </span>
                <span class="finding-words">{wordsOf(finding)}</span>
                <span class="finding-place muted">{placeOf(finding)}</span>
              </button>
              <FixButton exchangeId={finding.exchangeId} finding={finding.finding} />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

/**
 * The mark of an answer that is over and kept every rule, in every exchange of its turn: also where the agent was asked for the task, or it
 * was subscribed to again. A press opens its exchange.
 */
export function KeptMark({ row, exchangeId }: { readonly row: Row; readonly exchangeId: string | undefined }): JSX.Element | null {
  const panel = usePanel();
  const broken = useComputed(
    () => panel.deviant.value.has(row.key) || panel.findings.value.some(each => each.exchangeId === exchangeId),
  ).value;
  if (exchangeId === undefined || broken || panel.state.value?.checksRules !== true) return null;
  return (
    <IconButton
      class="kept-mark"
      icon="shield"
      label={t('No Protocol Findings: Show Exchange')}
      onClick={() => void panel.ask('openExchange', { exchangeId })}
    />
  );
}

/** The finding's sentence; of a push notification, which has no row, with that before it. */
const wordsOf = ({ message, timesIn }: RowFinding): string =>
  timesIn.has('PushNotification') ? t('Push notification: {0}', visible(message)) : visible(message);

function placeOf({ pointer, section, specification = '1.0', level, times }: RowFinding): string {
  return [
    ...(pointer === '' ? [] : [visibleName(pointer)]),
    ...(section === undefined || level === undefined || level === 'tool' ? [] : [`${level} · A2A ${specification} §${section}`]),
    ...(times > 1 ? [t('{0} times', times)] : []),
  ].join(' · ');
}

/** Keeps the list positioned at its mark. */
function follow(list: HTMLElement, whole: HTMLElement | null): void {
  const mark = whole?.getBoundingClientRect();
  if (mark === undefined || mark.bottom < 0 || mark.top > innerHeight) list.hidePopover();
  else placePopover(list, mark);
}
