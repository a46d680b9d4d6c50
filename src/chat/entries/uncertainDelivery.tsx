import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, TextButton } from '../widgets/button.tsx';
import type { DeliveryCheckResult } from '../host/messages.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';

interface Props {
  readonly seq: number;
  /** Text before the actions: how far the message got. */
  readonly children: JSX.Element;
  /** True where it is unknown whether the message arrived: the agent can be asked. */
  readonly uncertain: boolean;
  /** It was for a task: it can be written as a new one instead. */
  readonly forTask: boolean;
}

/** A message that did not arrive, or may not have. It is never sent again automatically: the agent may have it already. */
export function UncertainDelivery({ seq, uncertain, forTask, children }: Props): JSX.Element {
  const panel = usePanel();
  const { composer } = panel;
  const [asking, setAsking] = useState(false);
  const [checked, setChecked] = useState<DeliveryCheckResult>();
  const check = async (): Promise<void> => {
    if (asking) return;
    setAsking(true);
    setChecked(await panel.host.answer('checkDelivery', { seq }));
    setAsking(false);
  };
  return (
    <>
      <div class="delivery">
        {children}
        {uncertain && (
          <TextButton class="quiet" icon={asking ? 'loading' : 'search'} spin={asking} onClick={() => void check()}>
            {t('Check')}
          </TextButton>
        )}
        <TextButton class="quiet" icon="refresh" onClick={() => void panel.ask('sendAgain', { seq })}>
          {t('Send Again')}
        </TextButton>
        {forTask && !uncertain && (
          <TextButton class="quiet" icon="add" onClick={() => void composer.writeAnew(seq).then(() => composer.target.choose('new-task'))}>
            {t('Write as New Task')}
          </TextButton>
        )}
      </div>
      <div class="delivery-check" role="status">
        {uncertain && checked !== undefined && (
          <>
            <Icon name={checked.outcome === 'not-found' ? 'circle-slash' : 'question'} />{' '}
            <span>{checked.nextStep === undefined ? checked.message : t('{0} {1}', checked.message, checked.nextStep)}</span>
          </>
        )}
      </div>
    </>
  );
}
