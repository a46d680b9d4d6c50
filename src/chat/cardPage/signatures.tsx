import type { JSX } from 'preact';
import type { ShownSignature } from '../host/cardMessages.ts';
import { t } from '../text/strings.ts';
import { visibleIn } from '../text/visible.ts';
import { Icon, Section } from './section.tsx';

const icons: Readonly<Record<ShownSignature['kind'], string>> = {
  good: 'verified-filled',
  warning: 'warning',
  bad: 'error',
  unknown: 'unverified',
};

/** The signers of the card, whether their signatures are valid, and what to do where that is unknown. */
export function Signatures({ of: all, trust }: { readonly of: readonly ShownSignature[]; readonly trust: () => void }): JSX.Element {
  const offered = all.findIndex(({ canTrust }) => canTrust);
  return (
    <Section icon="key" title={t('Signatures')}>
      <ul class="signatures" role="status">
        {(visibleIn(all) ?? []).map(({ kind, text, notes }, index) => (
          <li key={index} class={kind}>
            <Icon name={icons[kind]} />
            <div>
              <p dir="auto">{text}</p>
              {notes.map(note => (
                <p key={note} class="muted" dir="auto">
                  {note}
                </p>
              ))}
              {index === offered && (
                <button type="button" class="action" onClick={trust}>
                  {t('Trust Signer…')}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
