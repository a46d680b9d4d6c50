import type { JSX } from 'preact';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';
import { loadWire, wireScript } from '../wire/wireScript.ts';
import { TextButton } from '../widgets/button.tsx';
import '../wire/wire.css';

/** The tab of the wire; its script is loaded when it is first shown. */
export function WireTab(): JSX.Element {
  const { View, failure } = wireScript();
  if (View !== undefined) return <View />;
  return (
    <div class="wire" id="panel-wire" role="tabpanel" aria-labelledby="tab-wire">
      {failure !== undefined && (
        <p class="wire-empty" role="alert">
          {visible(failure)}{' '}
          <TextButton class="quiet" onClick={loadWire}>
            {t('Try Again')}
          </TextButton>
        </p>
      )}
    </div>
  );
}
