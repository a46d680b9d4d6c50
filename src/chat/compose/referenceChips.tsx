import type { JSX } from 'preact';
import type { TaskSummary } from '../../protocol/message/transcript.ts';
import { Icon, IconButton } from '../widgets/button.tsx';
import { Menu } from '../widgets/menu.tsx';
import type { ChatState } from '../host/chatState.ts';
import type { Reference } from '../host/draft.ts';
import { usePanel } from '../panel/panelContext.ts';
import { taskDetail } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';

const titleOf = ({ title, taskId }: Pick<TaskSummary, 'title' | 'taskId'>): string => visibleName(title === '' ? taskId : title, 40);

/** The label of a reference; its id where the panel knows nothing more. */
function referenceWords({ tasks, artifacts }: Pick<ChatState, 'tasks' | 'artifacts'>, { taskId, artifactId }: Reference): string {
  if (artifactId === undefined) {
    return titleOf({ taskId, title: tasks.find(task => task.taskId === taskId)?.title ?? '' });
  }
  const version = artifacts.find(each => each.taskId === taskId && each.artifactId === artifactId);
  if (version === undefined) return visibleName(artifactId, 40);
  const name = visibleName(version.name === '' ? artifactId : version.name, 40);
  return version.of > 1 ? `${name} ${t('v{0}', version.version)}` : name;
}

export function ReferenceChip({ reference, onRemove }: { readonly reference: Reference; readonly onRemove?: () => void }): JSX.Element {
  const state = usePanel().state.value;
  const words = state === undefined ? '' : referenceWords(state, reference);
  return (
    <span class="chip" title={visibleName(reference.artifactId ?? reference.taskId)}>
      <Icon name={reference.artifactId === undefined ? 'checklist' : 'package'} />
      <span class="chip-words one-line">{words}</span>
      {onRemove !== undefined && <IconButton icon="close" label={t('Remove Reference to "{0}"', words)} onClick={onRemove} />}
    </span>
  );
}

/** The references of the next message; without any, the finished task that it may refer to, and the choice of another one. */
export function ReferenceChips(): JSX.Element | null {
  const panel = usePanel();
  const { target } = panel.composer;
  const references = target.references.value;
  const [offered, ...others] = target.offered.value;
  if (offered !== undefined) {
    const title = titleOf(offered);
    return (
      <div class="chips" role="group" aria-label={t('Suggested references')}>
        <button
          type="button"
          class="chip offered"
          title={t('Refer to This Finished Task (Alt+Enter)')}
          onClick={() => target.refer([{ taskId: offered.taskId }])}
        >
          <Icon name="add" />
          <span class="chip-words one-line">{t('Refer to "{0}"', title)}</span>
        </button>
        {others.length > 0 && (
          <Menu
            class="quiet"
            label={t('Refer to Another Task')}
            items={() =>
              others.map(task => ({
                label: titleOf(task),
                icon: 'checklist',
                detail: taskDetail(task.state, panel.mark(task.taskId)?.number),
                onPick: () => target.refer([{ taskId: task.taskId }]),
              }))
            }
          >
            <Icon name="chevron-down" />
          </Menu>
        )}
      </div>
    );
  }
  if (references.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={t('The message refers to')}>
      {references.map(reference => (
        <ReferenceChip
          key={`${reference.taskId} ${reference.artifactId ?? ''}`}
          reference={reference}
          onRemove={() => target.unrefer(reference)}
        />
      ))}
    </div>
  );
}
