import type { JSX } from 'preact';
import { TextButton } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';

/** The person signs in to the agent of the conversation, and sends what was refused once more. */
export function SignInButton(): JSX.Element {
  const panel = usePanel();
  return (
    <TextButton icon="key" onClick={() => void panel.ask('signIn', null)}>
      {t('Sign In…')}
    </TextButton>
  );
}
