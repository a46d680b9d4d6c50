import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../../protocol/message/transcript.ts';
import { CopyButton, Icon } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { ExchangeButton } from './tools.tsx';

/** Maximum number of characters shown. */
const most = 100_000;

/** Shown where rendering a row failed: its JSON and a button to its exchange. `retry` renders it again once its entries change. */
export function PlainRow({ row, retry }: { readonly row: Row; readonly retry: () => void }): JSX.Element {
  const panel = usePanel();
  const views = row.seqs.flatMap(seq => panel.transcript.view(seq)?.value ?? []);
  const [open, setOpen] = useState(false);
  const last = views.at(-1);
  const before = useRef(last);
  useEffect(() => {
    if (before.current === last) return;
    before.current = last;
    retry();
  }, [last]);
  const text = views
    .map(textOf)
    .filter(words => words !== '')
    .join('\n');
  const exchangeId = last?.entry.exchangeId;
  return (
    <article tabIndex={-1} class="row undrawn-row" data-row={row.key} aria-label={t('This entry could not be displayed.')}>
      <div class="row-main callout callout-bad">
        <p class="problem-words">
          <Icon name="warning" />
          <span>{t('This entry could not be displayed.')}</span>
        </p>
        {text !== '' && <div class="plain undrawn-text">{cut(text)}</div>}
        <details open={open} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{t('As stored')}</summary>
          {open && <pre class="plain-details">{cut(sourceOf(views.map(({ entry }) => entry)))}</pre>}
        </details>
        <div class="tools">
          {text !== '' && <CopyButton text={() => text} label={t('Copy Text')} />}
          <ExchangeButton exchangeId={exchangeId} />
        </div>
      </div>
    </article>
  );
}

const textOf = ({ parts }: EntryView): string => parts.flatMap(part => (part.kind === 'text' ? [part.text.toString()] : [])).join('\n');

const cut = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** An entry that cannot be rendered may also fail to be serialized. */
function sourceOf(entries: readonly Entry[]): string {
  try {
    return entries.map(entry => JSON.stringify(entry, null, 2)).join('\n');
  } catch (error) {
    return t('It cannot be written either: {0}', String(error));
  }
}
