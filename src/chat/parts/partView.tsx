import type { ComponentChildren, JSX } from 'preact';
import type { Part, PartKind } from '../../protocol/message/part.ts';
import { sizeOf, type ShownPart } from '../transcript/shownParts.ts';
import { CopyButton, Icon, IconButton } from '../widgets/button.tsx';
import { byteSize } from '../text/measures.ts';
import { useContentHost } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { DataContent } from './dataContent.tsx';
import { RawContent } from './rawContent.tsx';
import { secretsHidden, shownJson, useSecrets } from './secrets.ts';
import { TextContent } from './textContent.tsx';
import { UrlContent } from './urlContent.tsx';

/** Props of a part renderer; `index` is the part's index in its entry. */
export interface ContentProps {
  readonly shown: ShownPart;
  readonly seq: number;
  readonly index: number;
  /** No more of it is expected. */
  readonly finished: boolean;
}

/**
 * One renderer and one icon per kind of part.
 *
 * To add one: `<kind>Content.tsx` and a row here. Chat and preview of a response show it; what it needs of the page it takes from
 * `useContentHost`.
 */
const kinds: { readonly [Kind in PartKind]: { readonly Content: (props: ContentProps) => JSX.Element | null; readonly icon: string } } = {
  text: { Content: TextContent, icon: 'file' },
  raw: { Content: RawContent, icon: 'file-binary' },
  url: { Content: UrlContent, icon: 'link' },
  data: { Content: DataContent, icon: 'json' },
};

function kindOf(part: Part): PartKind {
  return 'text' in part ? 'text' : 'raw' in part ? 'raw' : 'url' in part ? 'url' : 'data';
}

export function PartContent(props: ContentProps): JSX.Element {
  const { cut, kind, part } = props.shown;
  const { Content } = kinds[kindOf(part)];
  if (cut !== undefined && kind !== 'text' && !('url' in part))
    return <div class="note">{t('Too large to show here. The editor can show it.')}</div>;
  return <Content {...props} />;
}

/** Media type and size, as far as they are known. */
export const partFacts = (mediaType: string | undefined, bytes: number | undefined): string =>
  [mediaType === undefined ? '' : visibleName(mediaType, 80), bytes === undefined ? '' : byteSize(bytes)].filter(Boolean).join(' · ');

interface NamedPartProps extends ContentProps {
  /** Without the head: the card around it has one. */
  readonly headless?: boolean;
  /** Shown below the content. */
  readonly children?: ComponentChildren;
}

/** A part below its head; a link is its head alone. */
export function NamedPart({ headless = false, children, ...props }: NamedPartProps): JSX.Element {
  return (
    <>
      {!headless && <PartHead {...props} />}
      {(headless || !('url' in props.shown.part)) && (
        <div class="part-body">
          <PartContent {...props} />
          {children}
        </div>
      )}
    </>
  );
}

/** File name, media type and size, and what can be done with the part. */
function PartHead({ shown, seq, index }: Omit<ContentProps, 'finished'>): JSX.Element {
  const { part } = shown;
  if ('url' in part) return <UrlContent shown={shown} seq={seq} index={index} />;
  return (
    <div class="part-head">
      <Icon name={partIcon(part)} />
      {part.filename !== undefined && <span class="part-name one-line">{visibleName(part.filename)}</span>}
      <span class="part-facts one-line">{partFacts(part.mediaType, sizeOf(shown))}</span>
      <span class="actions">
        <PartActions shown={shown} seq={seq} index={index} />
      </span>
    </div>
  );
}

export function PartActions({ shown, seq, index }: Omit<ContentProps, 'finished'>): JSX.Element {
  const host = useContentHost();
  return (
    <>
      {shown.kind === 'text' && (
        <CopyButton text={() => shown.text.toString()} label={t('Copy')} whole={shown.cut && { seq, part: index }} />
      )}
      {'data' in shown.part && <CopyData data={shown.part.data} seq={seq} whole={shown.cut && { seq, part: index }} />}
      {!('url' in shown.part) && (
        <IconButton icon="go-to-file" label={t('Open in Editor')} onClick={() => void host.ask('openPart', { seq, part: index })} />
      )}
      {!('url' in shown.part) && (
        <IconButton icon="save" label={t('Save…')} onClick={() => void host.ask('savePart', { seq, part: index })} />
      )}
    </>
  );
}

/** Copies what is shown: a password is not. */
function CopyData({
  data,
  seq,
  whole,
}: {
  readonly data: unknown;
  readonly seq: number;
  readonly whole: { readonly seq: number; readonly part: number } | undefined;
}): JSX.Element | null {
  const pointers = useSecrets(seq);
  return pointers === undefined ? null : (
    <CopyButton text={() => shownJson(secretsHidden(data, pointers), 2)} label={t('Copy')} whole={whole} />
  );
}

export function partIcon(part: Part): string {
  const mediaType = part.mediaType?.toLowerCase() ?? '';
  if (mediaType.startsWith('image/')) return 'file-media';
  if (/^(?:audio|video)\//.test(mediaType)) return 'play-circle';
  if (mediaType === 'application/pdf') return 'file-pdf';
  if (mediaType === 'text/markdown') return 'markdown';
  return kinds[kindOf(part)].icon;
}
