import type { ComponentChildren, JSX } from 'preact';
import { CopyButton, IconButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import type { ShownPart } from '../transcript/shownParts.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';

interface ToolsProps {
  readonly view: EntryView;
  readonly children?: ComponentChildren;
  /** The row's text, where it is more than the entry's. */
  readonly text?: string;
}

/** Actions of any entry; inconspicuous until the row is hovered or focused. */
export function Tools({ view, children, text }: ToolsProps): JSX.Element | null {
  const { kind } = view.entry;
  const copies = text !== undefined || ((kind === 'message' || kind === 'status') && view.parts.some(isText));
  if (!copies && view.entry.exchangeId === undefined && children === undefined) return null;
  return (
    <div class="tools">
      {children}
      {copies && (
        <CopyButton
          text={() =>
            text ??
            view.parts
              .filter(isText)
              .map(part => part.text.toString())
              .join('\n')
          }
          label={t('Copy Text')}
          whole={view.parts.some(part => isText(part) && part.cut !== undefined) ? { seq: view.entry.seq } : undefined}
        />
      )}
      <ExchangeButton exchangeId={view.entry.exchangeId} at={view.entry.at} />
    </div>
  );
}

/** Opens the exchange of an entry. */
export function ExchangeButton({
  exchangeId,
  at,
}: {
  readonly exchangeId: string | undefined;
  /** When the entry came; leads to the event that brought it. */
  readonly at?: number;
}): JSX.Element | null {
  const panel = usePanel();
  if (exchangeId === undefined) return null;
  return (
    <>
      <IconButton icon="list-selection" label={t('Show in Wire')} onClick={() => void panel.showOnWire(exchangeId, at)} />
      <IconButton icon="arrow-swap" label={t('Show Exchange')} onClick={() => void panel.ask('openExchange', { exchangeId })} />
    </>
  );
}

const isText = (part: ShownPart): part is Extract<ShownPart, { kind: 'text' }> => part.kind === 'text';
