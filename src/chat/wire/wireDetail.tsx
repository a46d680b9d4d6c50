import type { JSX } from 'preact';
import { FixButton } from '../widgets/fixButton.tsx';
import { LongNote } from '../widgets/longNote.tsx';
import { useEffect, useState } from 'preact/hooks';
import type { CodedBody } from '../../protocol/exchange.ts';
import type { ShownEvent, ShownExchange } from '../host/messages.ts';
import { language, usePanel } from '../panel/panelContext.ts';
import { byteSize, durationText, exactTime, preciseTime } from '../text/measures.ts';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';
import { IconButton, TextButton } from '../widgets/button.tsx';
import { Body, HeaderList } from './exchangeParts.tsx';
import { wordOf } from './wireColumns.tsx';
import { failureText, type ShownRow } from './wireRows.ts';

interface Loaded {
  readonly shown?: ShownExchange | undefined;
  readonly event?: ShownEvent | undefined;
}

/** A request, a response or an event in full. */
export function WireDetail({
  row,
  raw,
  onRaw,
  onClose,
}: {
  readonly row: ShownRow;
  readonly raw: boolean;
  readonly onRaw: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const panel = usePanel();
  const { exchange, seq, direction } = row;
  const { id, received } = exchange;
  const [loaded, setLoaded] = useState<Loaded>({});
  useEffect(() => {
    let isWanted = true;
    const read =
      seq === undefined ? panel.wire.exchange(id).then(shown => ({ shown })) : panel.wire.event(id, seq).then(event => ({ event }));
    void read.then(now => {
      if (isWanted) setLoaded(now);
    });
    return () => {
      isWanted = false;
    };
  }, [id, seq, exchange.endedAt]);
  return (
    <section class="wire-detail" aria-label={t('Details')}>
      <header class="wire-detail-head">
        <strong class="one-line">{wordOf(row)}</strong>
        {row.line.method !== undefined && <code>{visibleName(row.line.method, 60)}</code>}
        {row.at !== undefined && (
          <span class="muted" title={exactTime(row.at, language())}>
            {preciseTime(row.at, language())}
            {row.at > exchange.startedAt && ` · ${t('{0} after the request', durationText(row.at - exchange.startedAt))}`}
            {row.gap !== undefined && ` · ${t('Gap')} ${durationText(row.gap)}`}
          </span>
        )}
        {row.line.size > 0 && <span class="muted">{byteSize(row.line.size)}</span>}
        <span class="actions">
          <button type="button" class="text-button quiet wire-raw" aria-pressed={raw} onClick={onRaw}>
            {t('Raw')}
          </button>
          {received === undefined && (
            <>
              <TextButton class="quiet" icon="terminal" onClick={() => void panel.ask('copyExchange', { exchangeId: id, form: 'curl' })}>
                {t('Copy as cURL')}
              </TextButton>
              <IconButton
                icon="copy"
                label={t('Copy as Request File')}
                onClick={() => void panel.ask('copyExchange', { exchangeId: id, form: 'a2a' })}
              />
            </>
          )}
          {exchange.frames > 1 && exchange.endedAt !== undefined && (
            <IconButton icon="play-circle" label={t('Step Through the Stream')} onClick={() => void panel.replay.start(id)} />
          )}
          <IconButton icon="go-to-file" label={t('Open in Editor')} onClick={() => void panel.ask('openExchange', { exchangeId: id })} />
          <IconButton
            icon="comment-discussion"
            label={t('Show in Conversation')}
            disabled={!panel.mayHaveEntryOf(id)}
            onClick={() => void panel.showEntryOf(id, seq)}
          />
          <IconButton icon="close" label={t('Close (Escape)')} onClick={onClose} />
        </span>
      </header>
      <div class="wire-detail-body" tabIndex={0} role="group" aria-label={t('Content')}>
        {seq !== undefined && loaded.event !== undefined && (
          <>
            <Findings exchangeId={id} event={seq} />
            <EventDetail {...loaded.event} raw={raw} />
          </>
        )}
        {seq === undefined && loaded.shown !== undefined && (
          <>
            <Notes notes={loaded.shown.notes} />
            {(direction === 'out' || received !== undefined) && <RequestDetail shown={loaded.shown} raw={raw} />}
            {direction !== 'out' && <AnswerDetail shown={loaded.shown} raw={raw} />}
            <Findings exchangeId={id} />
            {loaded.shown.cut && <LongNote />}
          </>
        )}
      </div>
    </section>
  );
}

function EventDetail({ frame, text, cut, raw }: ShownEvent & { readonly raw: boolean }): JSX.Element {
  return (
    <>
      {!raw && (frame.event !== undefined || frame.id !== undefined) && (
        <p class="muted">
          {frame.event !== undefined && visible(frame.event)}
          {frame.id !== undefined && <> #{visible(frame.id)}</>}
        </p>
      )}
      <Body text={raw ? text : frame.data} bytes={frame.bytes} raw={raw} label={t('Copy Event')} />
      {cut && <LongNote />}
    </>
  );
}

function RequestDetail({ shown, raw }: { readonly shown: ShownExchange; readonly raw: boolean }): JSX.Element {
  const { request, received } = shown.exchange;
  return (
    <>
      <h3>{received === undefined ? t('Request') : t('Request of the Agent')}</h3>
      <HeaderList first={`${request.method} ${request.url}`} headers={request.headers} />
      {request.body !== '' && <Body text={request.body} bytes={request.bytes} raw={raw} label={t('Copy Request Body')} />}
    </>
  );
}

function AnswerDetail({ shown, raw }: { readonly shown: ShownExchange; readonly raw: boolean }): JSX.Element {
  const { response, received, startedAt, headersAt, endedAt } = shown.exchange;
  const failure = failureText(shown.exchange);
  return (
    <>
      {failure !== undefined && <p class="exchange-reason">{visibleName(failure, 300)}</p>}
      {response !== undefined && (
        <>
          <h3>
            {received !== undefined
              ? t('Our Answer')
              : headersAt === undefined
                ? t('Answer')
                : t('Response headers after {0} ms', (headersAt - startedAt).toFixed(1))}
          </h3>
          <HeaderList first={`HTTP ${response.status}`} headers={response.headers} />
          {response.coded !== undefined && <Coded {...response.coded} />}
          {response.body !== undefined && response.body !== '' && (
            <Body text={response.body} bytes={response.bytes} raw={raw} label={t('Copy Response Body')} />
          )}
          {response.trailers !== undefined && <HeaderList first={t('Trailers')} headers={response.trailers} />}
        </>
      )}
      {endedAt !== undefined && <p class="muted">{t('finished in {0}', durationText(endedAt - startedAt))}</p>}
    </>
  );
}

/** Content encoding of a body or a stream that is shown decompressed. */
const Coded = ({ coding, came, became }: CodedBody): JSX.Element => (
  <p class="muted">{t('Compressed with {0}: {1} bytes received, {2} bytes decompressed.', coding, came, became)}</p>
);

function Notes({ notes = [] }: { readonly notes: readonly string[] | undefined }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="delivery-notes">
      {notes.map((note, index) => (
        <li key={index}>{note}</li>
      ))}
    </ul>
  );
}

/** Protocol findings of this exchange, or of this event of it; each leads to its place in the exchange. */
function Findings({ exchangeId, event }: { readonly exchangeId: string; readonly event?: number }): JSX.Element | null {
  const panel = usePanel();
  const all = panel.findings.value.find(each => each.exchangeId === exchangeId)?.lines ?? [];
  const inEvent = (events: readonly number[] = []): number => events.filter(each => each === event).length;
  const lines = all
    .map(line => ({ ...line, times: event === undefined ? line.times : inEvent(line.events) }))
    .filter(({ times }) => times > 0);
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{t('Protocol findings')}</h3>
      <ul class="wire-findings">
        {lines.map(({ rule, message, finding, times }) => (
          <li key={finding}>
            <TextButton class="quiet" icon="warning" onClick={() => void panel.ask('openExchange', { exchangeId, finding })}>
              {visibleName(rule, 40)}
              {times > 1 && ` ×${times}`}: {visibleName(message, 300)}
            </TextButton>
            <FixButton exchangeId={exchangeId} finding={finding} />
          </li>
        ))}
      </ul>
    </>
  );
}
