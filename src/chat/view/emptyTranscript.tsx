import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleLines, visibleName } from '../text/visible.ts';

/** The agent's description and example prompts from its card; a press puts a prompt into the composer without sending it. */
export function EmptyTranscript(): JSX.Element {
  const panel = usePanel();
  const state = panel.state.value;
  const examples = state?.examples ?? [];
  return (
    <div class="empty">
      <Icon name="comment-discussion" />
      <h2>{visibleName(state?.agent ?? '')}</h2>
      {state?.description !== undefined && (
        <p class="empty-description" dir="auto">
          {visibleLines(state.description)}
        </p>
      )}
      {examples.length > 0 && (
        <ul class="examples" aria-label={t('Examples from the agent card')}>
          {examples.map((example, index) => (
            <li key={index}>
              <button type="button" class="example" onClick={() => panel.composer.prefill(example)}>
                {visibleName(example, 300)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
