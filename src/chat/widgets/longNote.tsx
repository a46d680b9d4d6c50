import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { ContentContext, PlaceContext } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { TextButton } from './button.tsx';

/** Says that a text is cut, and opens all of it where nothing else near it does. */
export function LongNote(): JSX.Element {
  const host = useContext(ContentContext);
  const place = useContext(PlaceContext);
  return (
    <div class="note">
      {t('This is long: only a part is shown here. The editor shows all of it.')}
      {place !== undefined && (
        <TextButton class="quiet" icon="go-to-file" onClick={() => void host?.ask('openPart', place)}>
          {t('Open in Editor')}
        </TextButton>
      )}
    </div>
  );
}
