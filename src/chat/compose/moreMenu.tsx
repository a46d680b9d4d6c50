import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { Menu, type MenuItem } from '../widgets/menu.tsx';
import type { ChatState } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { newId } from '../draft/newId.ts';

/** Menu with other content for a message than text and files. */
export function MoreMenu({ state }: { readonly state: ChatState }): JSX.Element {
  const { composer } = usePanel();
  const items = (): readonly MenuItem[] => [
    {
      label: t('Add Data Part…'),
      icon: 'json',
      onPick: () => composer.editor.open({ kind: 'part', part: { kind: 'data', id: newId(), json: '' } }),
    },
    { label: t('Message Metadata…'), icon: 'tag', onPick: () => composer.editor.open({ kind: 'metadata' }) },
    ...(state.outputModes === undefined || state.outputModes.length === 0
      ? []
      : [{ label: t('Accepted Output Modes…'), icon: 'filter', onPick: () => composer.editor.open({ kind: 'modes' }) }]),
    { label: t('Sending Options…'), icon: 'settings', onPick: () => composer.editor.open({ kind: 'sending' }) },
  ];
  return (
    <Menu class="more" label={t('More Actions')} items={items}>
      <Icon name="ellipsis" />
    </Menu>
  );
}
