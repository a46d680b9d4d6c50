import type { JSX } from 'preact';
import type { ProblemEntry } from '../../protocol/message/transcript.ts';
import { mendedByCard } from '../../protocol/mendedByCard.ts';
import { mendedBySignIn } from '../../protocol/mendedBySignIn.ts';
import { mendedWithoutStream } from '../../protocol/mendedWithoutStream.ts';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { SignInButton } from './signInButton.tsx';
import { t, localized } from '../text/strings.ts';

/** Maximum number of characters of details; the exchange has all of them. */
const maxDetails = 20_000;

export function ProblemRow({ entry }: { readonly entry: ProblemEntry }): JSX.Element {
  const panel = usePanel();
  const { exchangeId, taskId, address, details, nextStep, code } = entry;
  const words = localized(entry.sentence);
  const advice = nextStep && localized(nextStep);
  const isNamed = address === undefined || words.includes(address) || advice?.includes(address) === true;
  const wantsSignIn = mendedBySignIn.includes(code);
  const hasSignedIn = wantsSignIn && (panel.state.value?.signedInAt ?? 0) > entry.at;
  const reloads = mendedByCard(entry);
  const refusesStream = mendedWithoutStream(entry);
  const asked = hasSignedIn || refusesStream ? panel.transcript.askedBefore(entry.seq) : undefined;
  const refused = asked?.delivery === 'refused' ? asked : undefined;
  return (
    <section class="callout callout-bad">
      <div class="problem-words">
        <Icon name="error" />
        <span dir="auto">{withDirectionMarksSpelledOut(words)}</span>
      </div>
      {!isNamed && <p class="problem-address">{withDirectionMarksSpelledOut(address)}</p>}
      {advice !== undefined && (
        <p class="next-step" dir="auto">
          {withDirectionMarksSpelledOut(advice)}
        </p>
      )}
      {details !== undefined && details.trim() !== '' && (
        <details>
          <summary>{t('Details')}</summary>
          <pre class="plain-details" tabIndex={0} dir="auto">
            {withDirectionMarksSpelledOut(details.slice(0, maxDetails))}
          </pre>
        </details>
      )}
      {(wantsSignIn || reloads || refused !== undefined || exchangeId !== undefined || taskId !== undefined) && (
        <div class="buttons">
          {wantsSignIn && !hasSignedIn && <SignInButton />}
          {hasSignedIn && refused !== undefined && (
            <TextButton icon="refresh" onClick={() => void panel.ask('sendAgain', { seq: refused.seq })}>
              {t('Send Again')}
            </TextButton>
          )}
          {reloads && (
            <TextButton icon="sync" onClick={() => void panel.ask('reloadCard', null)}>
              {t('Reload Card')}
            </TextButton>
          )}
          {reloads && panel.state.value?.choices === true && (
            <TextButton icon="plug" onClick={() => void panel.ask('chooseInterface', null)}>
              {t('Choose Interface…')}
            </TextButton>
          )}
          {refusesStream && refused !== undefined && (
            <TextButton icon="send" onClick={() => void panel.ask('sendAgain', { seq: refused.seq, streaming: false })}>
              {t('Send Without Streaming')}
            </TextButton>
          )}
          {exchangeId !== undefined && (
            <TextButton icon="arrow-swap" onClick={() => void panel.ask('openExchange', { exchangeId })}>
              {t('Show Exchange')}
            </TextButton>
          )}
          {taskId !== undefined && (
            <TextButton icon="refresh" onClick={() => void panel.ask('refreshTask', { taskId })}>
              {t('Refresh Task')}
            </TextButton>
          )}
        </div>
      )}
    </section>
  );
}
