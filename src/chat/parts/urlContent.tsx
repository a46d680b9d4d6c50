import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AskLink, CopyButton, Icon, IconButton } from '../widgets/button.tsx';
import { linkTarget } from '../markdown/linkTarget.ts';
import { base64Size, byteSize } from '../text/measures.ts';
import type { LoadedFile } from '../host/messages.ts';
import { useContentHost } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';
import type { ContentProps } from './partView.tsx';
import { Bytes } from './rawContent.tsx';

/** Maximum number of characters of an address that are shown. */
const maxAddress = 2_000;

/** A file by URL: its full address, and the file itself once the person has loaded it. */
export function UrlContent({ shown, seq, index }: Omit<ContentProps, 'finished'>): JSX.Element | null {
  const host = useContentHost();
  const [file, setFile] = useState<LoadedFile>();
  const [loading, setLoading] = useState(false);
  if (!('url' in shown.part)) return null;
  const { url, filename, mediaType } = shown.part;
  const target = shown.cut === undefined ? linkTarget(url) : undefined;
  const address = cut(target === undefined ? visible(url.slice(0, maxAddress + 1)) : target.shown);
  const facts = [
    filename,
    mediaType,
    file?.mediaType === mediaType ? undefined : file?.mediaType,
    file === undefined ? undefined : byteSize(base64Size(file.raw)),
  ]
    .filter(fact => fact !== undefined && fact !== '')
    .map(fact => visibleName(fact ?? '', 80))
    .join(' · ');
  const load = async (): Promise<void> => {
    setLoading(true);
    setFile(await host.loadPart?.(seq, index));
    setLoading(false);
  };
  return (
    <>
      <div class="url-part">
        <Icon name="link-external" />
        {target === undefined ? (
          <span class="address" title={t('Only web and mail addresses can be opened')}>
            {address}
          </span>
        ) : (
          <AskLink url={target.url} shown={address}>
            {address}
          </AskLink>
        )}
        {(shown.cut !== undefined || address.length > maxAddress) && (
          <CopyButton text={() => url} label={t('Copy')} whole={shown.cut && { seq, part: index }} />
        )}
        {facts !== '' && <span class="part-facts one-line">{facts}</span>}
        {host.loadPart !== undefined && target !== undefined && /^https?:/i.test(target.url) && (
          <IconButton
            icon={loading ? 'loading' : 'cloud-download'}
            spin={loading}
            disabled={loading}
            label={t('Load and Show Here')}
            onClick={() => void load()}
          />
        )}
      </div>
      {file !== undefined && (
        <div class="part-body">
          <Bytes raw={file.raw} name={filename} mediaType={mediaType ?? file.mediaType} seq={seq} index={index} />
        </div>
      )}
    </>
  );
}

const cut = (address: string): string => (address.length > maxAddress ? `${address.slice(0, maxAddress)}…` : address);
