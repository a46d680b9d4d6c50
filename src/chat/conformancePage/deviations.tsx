import type { JSX } from 'preact';
import type { ShownDeviation } from '../host/conformanceMessages.ts';
import { t } from '../text/strings.ts';
import type { Post } from './conformancePage.tsx';

/** What ordinary traffic with the agent showed, by rule. */
export function Deviations({ of: deviations, post }: { readonly of: readonly ShownDeviation[]; readonly post: Post }): JSX.Element | null {
  if (deviations.length === 0) return null;
  return (
    <section class="deviations">
      <h2>{t('Seen in Chats and Requests')}</h2>
      <ul>
        {deviations.map(({ rule, title, level, count, last, message, exchangeId }) => (
          <li key={rule}>
            <button
              type="button"
              class="link"
              title={t('Show the Last Exchange')}
              onClick={() => post({ type: 'exchange', id: exchangeId })}
            >
              <code>{rule}</code> {title}
            </button>
            <span class="count">{count === 1 ? t('once') : t('{0} times', count)}</span>
            <span class="level">{level}</span>
            <p class="muted" dir="auto">
              {last} · {message}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
