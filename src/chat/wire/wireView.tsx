import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ExchangeSummary, ReceivedOutcome } from '../../protocol/exchange.ts';
import { ErrorBoundary, RenderFailure } from '../widgets/errorBoundary.tsx';
import { Icon, IconButton, TextButton } from '../widgets/button.tsx';
import { clockTime, exactTime, durationText } from '../text/measures.ts';
import { language, usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { ExchangeView } from './exchangeView.tsx';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

/** Minimum time between two reads of new exchanges while the tab is shown, in milliseconds. */
const pause = 500;

/** All exchanges of this context, newest first. */
export function WireView(): JSX.Element {
  const panel = usePanel();
  const { wire } = panel;
  useEffect(() => {
    void wire.refresh();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let begun = false;
    const soon = (): void => {
      // A signal calls a new subscriber at once.
      if (begun)
        timer ??= setTimeout(() => {
          timer = undefined;
          void wire.refresh();
        }, pause);
    };
    const stops = [panel.arrivals.subscribe(soon), panel.state.subscribe(soon)];
    begun = true;
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
  const list = wire.list.value;
  return (
    <div class="wire" id="panel-wire" role="tabpanel" aria-labelledby="tab-wire" tabIndex={0}>
      <div class="column">
        {list.length === 0 && <p class="muted">{t('No network traffic for this context yet.')}</p>}
        {list.map(exchange => (
          <ErrorBoundary key={exchange.id} instead={() => <RenderFailure />}>
            <ExchangeRow summary={exchange} />
          </ErrorBoundary>
        ))}
        {wire.more.value && (
          <TextButton class="quiet" onClick={() => void wire.older()}>
            {t('Show Older Exchanges')}
          </TextButton>
        )}
      </div>
    </div>
  );
}

function ExchangeRow({ summary }: { readonly summary: ExchangeSummary }): JSX.Element {
  const panel = usePanel();
  const row = useRef<HTMLElement>(null);
  const { id, operation, method, url, status, startedAt, failure, error, findings, received } = summary;
  const open = panel.wire.open.value.get(id);
  const wanted = panel.wireWanted.value === id;
  useEffect(() => {
    if (!wanted) return;
    if (row.current !== null) scrollWithinPanel(row.current, 'start');
    row.current?.querySelector('button')?.focus({ preventScroll: true });
    panel.wireWanted.value = undefined;
  }, [wanted]);
  const reason = failure ?? error ?? panel.problemOf(id);
  const bad = reason !== undefined || (received === undefined ? (status ?? 0) >= 400 : isRefused(received.outcome));
  return (
    <section class="exchange card" ref={row} aria-label={visibleName(operation)}>
      <header class="card-head">
        <button type="button" class="exchange-toggle" aria-expanded={open !== undefined} onClick={() => void panel.wire.toggle(id)}>
          <Icon name={open === undefined ? 'chevron-right' : 'chevron-down'} />
          {received !== undefined && <Icon name="inbox" />}
          <span class="card-name">{received === undefined ? visibleName(operation) : t('Push Notification')}</span>
          <span class="part-facts" title={visibleName(url, 1000)}>
            {visibleName(method, 20)} {visibleName(url, 120)}
          </span>
        </button>
        <span class="exchange-facts muted">
          {bad && <Icon name="error" />}
          {[
            status === undefined ? undefined : String(status),
            ...(received === undefined ? facts(summary) : deliveryFacts(received)),
            findings > 0 ? (findings === 1 ? t('1 protocol finding') : t('{0} protocol findings', findings)) : undefined,
          ]
            .filter(Boolean)
            .join(' · ')}
          {' · '}
          <time title={exactTime(startedAt, language())}>{clockTime(startedAt, language())}</time>
        </span>
        <span class="actions">
          {received === undefined && (
            <>
              <IconButton
                icon="terminal"
                label={t('Copy as cURL')}
                onClick={() => void panel.ask('copyExchange', { exchangeId: id, form: 'curl' })}
              />
              <IconButton
                icon="copy"
                label={t('Copy as Request File')}
                onClick={() => void panel.ask('copyExchange', { exchangeId: id, form: 'a2a' })}
              />
            </>
          )}
          <IconButton icon="go-to-file" label={t('Open in Editor')} onClick={() => void panel.ask('openExchange', { exchangeId: id })} />
          <IconButton
            icon="comment-discussion"
            label={t('Show in Conversation')}
            disabled={!panel.mayHaveEntryOf(id)}
            onClick={() => void panel.showEntryOf(id)}
          />
        </span>
      </header>
      {reason !== undefined && <p class="exchange-reason">{visibleName(reason, 300)}</p>}
      {open !== undefined && <ExchangeView open={open} onMore={() => void panel.wire.moreFrames(id)} />}
    </section>
  );
}

const isRefused = (outcome: ReceivedOutcome): boolean => outcome === 'refused' || outcome === 'unreadable';

/** What became of a push notification. */
function deliveryFacts({ outcome, rehearsed }: NonNullable<ExchangeSummary['received']>): string[] {
  const word = isRefused(outcome) ? t('refused') : outcome === 'repeated' ? t('repeated') : outcome === 'applied' ? t('applied') : '';
  return [rehearsed === undefined ? '' : t('rehearsed'), word];
}

/** Time to the first event, total time, and number of events. */
function facts({ startedAt, headersAt, firstFrameAt, endedAt, frames }: ExchangeSummary): string[] {
  const first = firstFrameAt ?? headersAt;
  return [
    ...(first === undefined ? [] : [t('first after {0}', durationText(first - startedAt))]),
    endedAt === undefined ? t('open') : t('over after {0}', durationText(endedAt - startedAt)),
    ...(frames === 0 ? [] : [frames === 1 ? t('1 event') : t('{0} events', frames)]),
  ];
}
