import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { PartContent, PartHead } from '../parts/partView.tsx';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';

/** Maximum number of parts shown at once. */
const page = 50;

interface PartsProps {
  readonly view: EntryView;
  readonly finished: boolean;
  /** Index of a part that is shown elsewhere. */
  readonly without?: number;
}

/** The parts of a message: text directly, other parts in a frame with name and actions. */
export function Parts({ view, finished, without }: PartsProps): JSX.Element {
  const [limit, setLimit] = useState(page);
  const { seq } = view.entry;
  const rest = view.parts.length - limit;
  return (
    <div class="parts">
      {view.parts.slice(0, limit).map((shown, index) => {
        if (index === without) return null;
        const props = { shown, seq, index, finished: finished || index < view.parts.length - 1 };
        const bare = shown.kind === 'text' && shown.part.filename === undefined;
        return bare ? (
          <PartContent key={index} {...props} />
        ) : (
          <section key={index} class="part">
            <PartHead {...props} name={shown.part.filename} />
            {!('url' in shown.part) && (
              <div class="part-body">
                <PartContent {...props} />
              </div>
            )}
          </section>
        );
      })}
      {rest > 0 && <TextButton onClick={() => setLimit(limit + page)}>{t('Show {0} More Parts', Math.min(rest, page))}</TextButton>}
    </div>
  );
}
