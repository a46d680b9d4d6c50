import type { JSX } from 'preact';
import type { GapEntry } from '../../protocol/message/transcript.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t, localized } from '../text/strings.ts';

export function GapRow({ entry }: { readonly entry: GapEntry }): JSX.Element {
  const panel = usePanel();
  const { taskId } = entry;
  return (
    <div class="gap">
      <span class="gap-words">
        <Icon name="debug-disconnect" /> {localized(entry.reason)}
      </span>
      {taskId !== undefined && (
        <TextButton class="quiet" icon="refresh" onClick={() => void panel.ask('refreshTask', { taskId })}>
          {t('Refresh Task')}
        </TextButton>
      )}
    </div>
  );
}
