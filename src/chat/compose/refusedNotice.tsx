import type { JSX } from 'preact';
import { Icon, IconButton, TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';

/** Files whose media type the agent's card does not accept: the reason, and a button to attach them anyway. */
export function RefusedNotice(): JSX.Element | null {
  const { parts } = usePanel().composer;
  const refused = parts.refused.value;
  if (refused.length === 0) return null;
  return (
    <div role="alert" class="notice">
      <Icon name="warning" />
      <div class="failure-words">
        {refused.map(({ id, name, refused: reason = '' }) => (
          <div key={id}>{t('{0} is not attached yet. {1}', visibleName(name, 60), visible(reason))}</div>
        ))}
        <div class="buttons">
          <TextButton onClick={() => parts.settleRefused(true)}>{t('Attach Anyway')}</TextButton>
        </div>
      </div>
      <IconButton icon="close" label={t('Dismiss')} onClick={() => parts.settleRefused(false)} />
    </div>
  );
}
