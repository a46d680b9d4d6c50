import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ArtifactEntry } from '../../protocol/message/transcript.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { byteSize } from '../text/measures.ts';
import { usePanel } from '../panel/panelContext.ts';
import { partsOnPages } from '../parts/partWeight.ts';
import { OutputMark } from '../parts/outputMark.tsx';
import { NamedPart, PartActions, partIcon } from '../parts/partView.tsx';
import { type ShownPart, sizeOf } from '../transcript/shownParts.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { visibleName } from '../text/visible.ts';
import { LeftOut } from './parts.tsx';
import { ExchangeButton } from './tools.tsx';
import { VersionMark } from './versionMark.tsx';

/** An artifact as a card; an artifact with one part is shown as that part. */
export function ArtifactRow({ view, entry }: { readonly view: EntryView; readonly entry: ArtifactEntry }): JSX.Element {
  const [pages, setPages] = useState(1);
  const { artifact, complete, seq } = entry;
  const only = view.parts.length === 1 ? view.parts[0] : undefined;
  const limit = partsOnPages(view.parts, pages);
  const more = partsOnPages(view.parts, pages + 1) - limit;
  // Once the connection or the task has ended, no more of the artifact arrives.
  const { connections } = usePanel();
  const arrives = connections.brings(entry.taskId) && !complete;
  return (
    <section class="card artifact" aria-busy={arrives}>
      <header class="card-head">
        <Icon name={only === undefined ? 'package' : partIcon(only.part)} />
        <h2 class="card-name one-line">{visibleName((artifact.name ?? '') || (only?.part.filename ?? '')) || t('Artifact')}</h2>
        <span class="part-facts one-line">{facts(view, only).join(' · ')}</span>
        <VersionMark seq={seq} />
        {arrives && connections.of(entry.taskId)?.polled !== true && (
          <span class="streaming">
            <span class="pulse" aria-hidden="true" />
            {t('streaming…')}
          </span>
        )}
        {!complete && !arrives && (
          <span class="cut-off">
            <Icon name="debug-disconnect" />
            {t('cut off')}
          </span>
        )}
        <span class="actions">
          {only !== undefined && <PartActions shown={only} seq={seq} index={0} />}
          <ExchangeButton exchangeId={entry.exchangeId} />
        </span>
      </header>
      {artifact.description !== undefined && artifact.description !== '' && (
        <p class="card-description">{visibleName(artifact.description, 1000)}</p>
      )}
      {view.parts.length === 0 && complete && <p class="card-description muted">{t('This artifact has no content.')}</p>}
      {view.parts.slice(0, limit).map((shown, index) => {
        const props = { shown, seq, index, finished: !arrives || index < view.parts.length - 1 };
        return (
          <div key={index} class="card-part">
            <NamedPart {...props} headless={only !== undefined} />
            {complete && (shown.kind === 'text' || 'data' in shown.part) && <OutputMark seq={seq} index={index} />}
          </div>
        );
      })}
      {more > 0 && <TextButton onClick={() => setPages(pages + 1)}>{t('Show {0} More Parts', more)}</TextButton>}
      {more === 0 && <LeftOut view={view} />}
    </section>
  );
}

function facts(view: EntryView, only: ShownPart | undefined): string[] {
  const mediaType = only?.part.mediaType;
  const sizes = view.parts.map(sizeOf);
  const size = sizes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  return [
    ...(only === undefined && view.parts.length > 0 ? [t('{0} parts', view.parts.length)] : []),
    ...(mediaType === undefined ? [] : [visibleName(mediaType, 80)]),
    ...(sizes.some(each => each !== undefined) ? [byteSize(size)] : []),
    ...(view.chunks > 1 ? [t('{0} chunks', view.chunks)] : []),
  ];
}
