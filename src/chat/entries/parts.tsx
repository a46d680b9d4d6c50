import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { partsOnPages } from '../parts/partWeight.ts';
import { NamedPart, PartContent } from '../parts/partView.tsx';
import { PlaceContext } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';

interface PartsProps {
  readonly view: EntryView;
  readonly finished: boolean;
  /** Index of a part that is shown elsewhere. */
  readonly without?: number;
}

/** The parts of a message: text directly, other parts in a frame with name and actions. */
export function Parts({ view, finished, without }: PartsProps): JSX.Element {
  const [pages, setPages] = useState(1);
  const { seq } = view.entry;
  const limit = partsOnPages(view.parts, pages);
  const more = partsOnPages(view.parts, pages + 1) - limit;
  return (
    <div class="parts">
      {view.parts.slice(0, limit).map((shown, index) => {
        if (index === without) return null;
        const props = { shown, seq, index, finished: finished || index < view.parts.length - 1 };
        const bare = shown.kind === 'text' && shown.part.filename === undefined && shown.cut === undefined;
        return bare ? (
          <PlaceContext.Provider key={index} value={{ seq, part: index }}>
            <PartContent {...props} />
          </PlaceContext.Provider>
        ) : (
          <section key={index} class="part">
            <NamedPart {...props} />
          </section>
        );
      })}
      {more > 0 && <TextButton onClick={() => setPages(pages + 1)}>{t('Show {0} More Parts', more)}</TextButton>}
      {more === 0 && <LeftOut view={view} />}
    </div>
  );
}

/** Says how many parts the page was not sent. */
export function LeftOut({ view }: { readonly view: EntryView }): JSX.Element | null {
  const { leftOut = 0 } = view.entry;
  return leftOut === 0 ? null : <div class="note">{t('{0} more parts are not shown here. The exchange has them.', leftOut)}</div>;
}
