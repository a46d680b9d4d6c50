import type { JSX } from 'preact';
import type { ChatState } from '../host/chatState.ts';
import { t } from '../text/strings.ts';
import { visibleLines, visibleName } from '../text/visible.ts';
import { usePanel } from '../panel/panelContext.ts';
import { Icon, TextButton } from './button.tsx';

/** The agent's card at a glance: name, version, provider, description, capabilities and skills. */
export function CardGlance({ state: { agent, card, description } }: { readonly state: ChatState }): JSX.Element {
  const capabilities: readonly (readonly [string, boolean])[] =
    card === undefined
      ? []
      : [
          [t('Streaming'), card.streaming],
          [t('Push notifications'), card.pushNotifications],
          [t('Extended card'), card.extendedCard],
        ];
  return (
    <div class="glance">
      <h2>{visibleName(card?.name ?? agent)}</h2>
      {card !== undefined && (
        <p class="muted">
          {[card.version, card.provider]
            .filter(Boolean)
            .map(text => visibleName(text!, 200))
            .join(' · ')}
        </p>
      )}
      {description !== undefined && (
        <p class="glance-description" dir="auto">
          {visibleLines(description)}
        </p>
      )}
      {capabilities.length > 0 && (
        <ul class="glance-list">
          {capabilities.map(([label, has]) => (
            <li key={label} class={has ? '' : 'muted'} aria-label={t('{0}: {1}', label, has ? t('yes') : t('no'))}>
              <Icon name={has ? 'check' : 'dash'} /> {label}
            </li>
          ))}
        </ul>
      )}
      {card?.problems !== undefined && <CardProblems {...card.problems} />}
      {card !== undefined && card.skills.length > 0 && (
        <ul class="glance-list" aria-label={t('Skills')}>
          {card.skills.map((skill, index) => (
            <li key={index} class="chip">
              {visibleName(skill, 100)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The faults of the card, and a button that opens it, where each stands at its place. */
function CardProblems({ count, first }: NonNullable<NonNullable<ChatState['card']>['problems']>): JSX.Element {
  const panel = usePanel();
  return (
    <div class="glance-problems">
      <p>
        <Icon name="warning" /> {count === 1 ? t('1 problem in the card') : t('{0} problems in the card', count)}
      </p>
      {first.map((words, index) => (
        <p key={index} class="muted" dir="auto">
          {visibleLines(words)}
        </p>
      ))}
      <TextButton class="quiet" onClick={() => void panel.ask('openCard', null)}>
        {t('Open Agent Card')}
      </TextButton>
    </div>
  );
}
