import type { JSX } from 'preact';
import { AskLink, Icon } from '../button.tsx';
import { linkTarget } from '../markdown/linkTarget.ts';
import { t } from '../strings.ts';
import { visible, visibleName } from '../visible.ts';
import type { ContentProps } from './partView.tsx';

/** A file by reference: its address in full, never fetched from here. */
export function UrlContent({ shown }: Pick<ContentProps, 'shown'>): JSX.Element | null {
  if (!('url' in shown.part)) return null;
  const target = linkTarget(shown.part.url);
  const facts = [shown.part.filename, shown.part.mediaType].filter(fact => fact !== undefined).map(fact => visibleName(fact, 80)).join(' · ');
  return (
    <div class="url-part">
      <Icon name="link-external" />
      {target === undefined
        ? <span class="address" title={t('Only web and mail addresses can be opened')}>{visible(shown.part.url)}</span>
        : <AskLink url={target.url} shown={target.shown}>{target.shown}</AskLink>}
      {facts !== '' && <span class="part-facts">{facts}</span>}
    </div>
  );
}
