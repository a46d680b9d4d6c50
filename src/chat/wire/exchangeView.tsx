import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { parseExactly, writeExactly } from '../../protocol/json/exactNumber.ts';
import type { Frame, Headers } from '../../protocol/exchange.ts';
import { CopyButton, TextButton } from '../widgets/button.tsx';
import { Code } from '../markdown/code.tsx';
import { exactTime } from '../text/measures.ts';
import { language } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';
import type { OpenExchange } from '../panel/wireLog.ts';

/** Maximum length of a body that is indented and highlighted, in characters; longer ones are shown unchanged. */
const maxRead = 30_000;

/** Request, response and events of one exchange. */
export function ExchangeView({ open, onMore }: { readonly open: OpenExchange; readonly onMore: () => void }): JSX.Element {
  const {
    exchange: { request, response, startedAt, headersAt, received },
    notes = [],
    frames,
    more,
    cut,
  } = open;
  return (
    <div class="exchange-body">
      {notes.length > 0 && (
        <ul class="delivery-notes">
          {notes.map((note, index) => (
            <li key={index}>{note}</li>
          ))}
        </ul>
      )}
      <h3>{received === undefined ? t('Request') : t('Request of the Agent')}</h3>
      <HeaderList first={`${request.method} ${request.url}`} headers={request.headers} />
      {request.body !== '' && <Body text={request.body} label={t('Copy Request Body')} />}
      {response !== undefined && (
        <>
          <h3>
            {received !== undefined
              ? t('Our Answer')
              : headersAt === undefined
                ? t('Answer')
                : t('Answer after {0} ms', (headersAt - startedAt).toFixed(1))}
          </h3>
          <HeaderList first={`HTTP ${response.status}`} headers={response.headers} />
          {response.body !== undefined && response.body !== '' && <Body text={response.body} label={t('Copy Response Body')} />}
        </>
      )}
      {frames.length > 0 && (
        <>
          <h3>{t('Events')}</h3>
          <ol class="frames" start={(frames[0]?.seq ?? 0) + 1}>
            {frames.map((frame, index) => (
              <FrameRow key={frame.seq} frame={frame} since={startedAt} before={frames[index - 1]} />
            ))}
          </ol>
          {more && (
            <TextButton class="quiet" onClick={onMore}>
              {t('Show More Events')}
            </TextButton>
          )}
        </>
      )}
      {response?.trailers !== undefined && <HeaderList first={t('Trailers')} headers={response.trailers} />}
      {cut && <div class="note">{t('This is long: only a part is shown here. The editor shows all of it.')}</div>}
    </div>
  );
}

function HeaderList({ first, headers }: { readonly first: string; readonly headers: Headers }): JSX.Element {
  return (
    <pre class="wire-text" tabIndex={0}>
      {visibleLines([first, ...headers.map(([name, value]) => `${name}: ${value}`)])}
    </pre>
  );
}

/** Spells out hidden characters within each line. */
const visibleLines = (lines: readonly string[]): string => lines.map(visible).join('\n');

/** A body unchanged, or indented where it is JSON. */
function Body({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const json = useMemo(() => indented(text), [text]);
  return (
    <div class="wire-body">
      <pre class="wire-text" tabIndex={0}>
        {json === undefined ? visibleLines(text.split('\n')) : <Code code={json} language="json" />}
      </pre>
      <CopyButton text={() => text} label={label} />
    </div>
  );
}

function indented(text: string): string | undefined {
  if (text.length > maxRead) return undefined;
  try {
    return writeExactly(parseExactly(text));
  } catch {
    return undefined; // Not JSON: shown unchanged.
  }
}

/** An event as received, with the time since the request and since the event before. */
function FrameRow({
  frame,
  since,
  before,
}: {
  readonly frame: Frame;
  readonly since: number;
  readonly before: Frame | undefined;
}): JSX.Element {
  return (
    <li class="frame">
      <span class="frame-times muted" title={exactTime(frame.at, language())}>
        {t('{0} ms', (frame.at - since).toFixed(1))}
        {before !== undefined && <> (+{(frame.at - before.at).toFixed(1)})</>}
        {frame.event !== undefined && <> {visible(frame.event)}</>}
        {frame.id !== undefined && <> #{visible(frame.id)}</>}
      </span>
      <pre class="wire-text" tabIndex={0}>
        {visibleLines(frame.data.split('\n'))}
      </pre>
    </li>
  );
}
