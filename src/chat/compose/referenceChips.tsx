import type { JSX } from 'preact';
import { Icon, IconButton } from '../widgets/button.tsx';
import type { ChatState, Reference } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';

/** The label of a reference; its id where the panel knows nothing more. */
function referenceWords({ tasks, artifacts }: Pick<ChatState, 'tasks' | 'artifacts'>, { taskId, artifactId }: Reference): string {
  if (artifactId === undefined) {
    const title = tasks.find(task => task.taskId === taskId)?.title ?? '';
    return visibleName(title === '' ? taskId : title, 40);
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
      <span class="chip-words">{words}</span>
      {onRemove !== undefined && <IconButton icon="close" label={t('Remove Reference to {0}', words)} onClick={onRemove} />}
    </span>
  );
}

/** The references of the next message. */
export function ReferenceChips(): JSX.Element | null {
  const panel = usePanel();
  const references = panel.composer.target.shownReferences.value;
  if (references.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={t('The message refers to')}>
      {references.map(reference => (
        <ReferenceChip
          key={`${reference.taskId} ${reference.artifactId ?? ''}`}
          reference={reference}
          onRemove={() => panel.composer.target.unrefer(reference)}
        />
      ))}
    </div>
  );
}
