import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { Menu, type MenuItem } from '../widgets/menu.tsx';
import type { ChatState } from '../host/chatState.ts';
import { sameTarget, type TargetOffer, targetOffers, type TaskPlace } from '../host/target.ts';
import { usePanel } from '../panel/panelContext.ts';
import { taskDetail } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';

const icons: Readonly<Record<TaskPlace, string>> = { waits: 'reply', works: 'reply', over: 'warning' };

/** Shows where the next message goes, with a menu to change it. */
export function TargetLine({ state }: { readonly state: ChatState }): JSX.Element {
  const panel = usePanel();
  const line = panel.composer.target.line.value;
  const text = line === undefined ? '' : visible(line.text);
  const offers = targetOffers(state);
  const items = (): readonly MenuItem[] =>
    offers.map((offer, index) => ({
      ...wordsOf(offer, panel.mark(offer.task?.taskId)?.number),
      checked: line !== undefined && sameTarget(offer.target, line.target),
      ...(offer.place !== offers[index - 1]?.place && { group: offer.place === 'over' ? t('Finished: the agent should refuse') : '' }),
      onPick: () => panel.composer.target.choose(offer.target),
    }));
  return (
    <div class={`target ${line?.place ?? ''}`} id="target">
      <Icon name={line?.place === undefined ? 'add' : icons[line.place]} />
      <span class="target-text one-line" title={text}>
        {text}
      </span>
      {offers.length > 1 && (
        <Menu class="quiet" label={t('Change Message Destination')} items={items}>
          {t('Change')} <Icon name="chevron-down" />
        </Menu>
      )}
    </div>
  );
}

function wordsOf({ target, task, place }: TargetOffer, number: number | undefined): Omit<MenuItem, 'onPick'> {
  if (task === undefined)
    return target === 'new-context' ? { label: t('New Conversation'), icon: 'comment-discussion' } : { label: t('New Task'), icon: 'add' };
  const title = visibleName(task.title === '' ? task.taskId : task.title, 60);
  return {
    label: place === 'over' ? t('Send Anyway: {0}', title) : t('This Task: {0}', title),
    icon: place === 'over' ? 'warning' : 'reply',
    detail: taskDetail(task.state, number),
  };
}
