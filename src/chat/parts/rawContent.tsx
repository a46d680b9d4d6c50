import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { imageType } from '../text/imageType.ts';
import { CodeBlock } from '../markdown/code.tsx';
import { languageOf } from '../markdown/languages.ts';
import { useContentHost } from '../panel/panelContext.ts';
import { type Playable, playable } from '../text/playable.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { delimiterOf } from './delimited.ts';
import { DelimitedContent } from './delimitedContent.tsx';
import type { ContentProps } from './partView.tsx';
import { rawText, isTextType, maxText } from './rawText.ts';

/** Maximum length of base64 shown in the page; the editor shows longer ones. */
const maxBase64 = 12_000_000;
/** Maximum length of base64 that is read as a table: a page would stall with longer ones. */
const maxTable = 1_400_000;

/** Bytes by their type: picture, audio, video or text; other files have only their head. */
export function RawContent({ shown, seq, index }: ContentProps): JSX.Element | null {
  const raw = 'raw' in shown.part ? shown.part.raw : '';
  const { filename, mediaType } = shown.part;
  return <Bytes raw={raw} name={filename} mediaType={mediaType} seq={seq} index={index} />;
}

interface BytesProps {
  /** Base64. */
  readonly raw: string;
  readonly name: string | undefined;
  readonly mediaType: string | undefined;
  readonly seq: number;
  readonly index: number;
}

export function Bytes({ raw, name, mediaType, seq, index }: BytesProps): JSX.Element | null {
  const delimiter = delimiterOf(mediaType, name);
  const media = useMemo(() => (raw.length > maxBase64 ? undefined : playable(raw)), [raw]);
  const picture = useMemo(() => (raw.length > maxBase64 ? undefined : imageType(raw)), [raw]);
  const isText = (isTextType(mediaType) || delimiter !== undefined) && picture === undefined && media === undefined;
  const most = delimiter === undefined ? maxText : maxTable;
  const text = useMemo(() => (isText ? rawText(raw, most) : undefined), [raw, isText, most]);
  if (raw.length > maxBase64 || (isText && raw.length > most))
    return <div class="note">{t('Too large to show here. The editor can show it.')}</div>;
  const label = name === undefined ? undefined : visibleName(name);
  if (picture !== undefined)
    return <Picture source={`data:${picture};base64,${raw}`} name={label ?? t('Picture')} seq={seq} index={index} />;
  if (media !== undefined) return <Player media={media} source={`data:${media.type};base64,${raw}`} name={label ?? t('Recording')} />;
  if (text !== undefined && delimiter !== undefined) return <DelimitedContent text={text} delimiter={delimiter} />;
  return text === undefined ? null : <CodeBlock code={text} language={languageOf(mediaType ?? '') ?? ''} />;
}

function Picture({
  source,
  name,
  seq,
  index,
}: {
  readonly source: string;
  readonly name: string;
  readonly seq: number;
  readonly index: number;
}): JSX.Element {
  const host = useContentHost();
  const [broken, setBroken] = useState<string>();
  if (broken === source) return <div class="note">{t('These bytes begin like an image but are not one.')}</div>;
  return (
    <button type="button" class="picture" title={t('Open in Editor')} onClick={() => void host.ask('openPart', { seq, part: index })}>
      <img src={source} alt={name} decoding="async" onError={() => setBroken(source)} />
    </button>
  );
}

/** Plays from the bytes alone, and only on request. */
function Player({ media, source, name }: { readonly media: Playable; readonly source: string; readonly name: string }): JSX.Element {
  const [broken, setBroken] = useState<string>();
  if (broken === source) return <div class="note">{t('This cannot be played here. Save it to play it elsewhere.')}</div>;
  const props = { src: source, controls: true, preload: 'metadata', 'aria-label': name, onError: () => setBroken(source) } as const;
  return media.kind === 'audio' ? <audio class="player" {...props} /> : <video class="player" {...props} />;
}
