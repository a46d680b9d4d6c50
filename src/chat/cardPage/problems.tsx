import type { JSX } from 'preact';
import type { ShownCardProblem } from '../host/cardMessages.ts';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';
import { Icon, Section } from './section.tsx';

const icons: Readonly<Record<ShownCardProblem['severity'], string>> = { error: 'error', warning: 'warning', information: 'info' };

/** What is wrong with the card; each leads to its place in the text. */
export function Problems({
  of: all,
  reveal,
}: {
  readonly of: readonly ShownCardProblem[];
  readonly reveal: (offset: number) => void;
}): JSX.Element {
  return (
    <Section icon="checklist" title={t('Problems')}>
      <ul class="problems">
        {all.map(({ severity, text, offset }, index) => (
          <li key={index} class={severity}>
            <button type="button" title={t('Show in Text')} onClick={() => reveal(offset)}>
              <Icon name={icons[severity]} />
              <span dir="auto">{visible(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
