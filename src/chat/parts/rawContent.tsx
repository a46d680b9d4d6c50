import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { imageType } from '../imageType.ts';
import { usePanel } from '../panelContext.ts';
import { t } from '../strings.ts';
import { visibleName } from '../visible.ts';
import type { ContentProps } from './partView.tsx';

/** Longer base64 is not put into the page; the editor shows such pictures. */
const maxBase64 = 12_000_000;

/** A picture where the bytes are one; other files are told by their head alone. */
export function RawContent({ shown, seq, index }: ContentProps): JSX.Element | null {
  const panel = usePanel();
  const [broken, setBroken] = useState<string>();
  const raw = 'raw' in shown.part ? shown.part.raw : '';
  const source = useMemo(() => {
    const type = raw.length > maxBase64 ? undefined : imageType(raw);
    return type === undefined ? undefined : `data:${type};base64,${raw}`;
  }, [raw]);
  if (source === undefined) return raw.length > maxBase64 ? <div class="note">{t('Too large to show here. The editor can show it.')}</div> : null;
  if (broken === source) return <div class="note">{t('These bytes begin like a picture but are none.')}</div>;
  const name = visibleName(shown.part.filename ?? t('Picture'));
  return (
    <button type="button" class="picture" title={t('Open in the editor')} onClick={() => void panel.ask('openPart', { seq, part: index })}>
      <img src={source} alt={name} decoding="async" onError={() => setBroken(source)} />
    </button>
  );
}
