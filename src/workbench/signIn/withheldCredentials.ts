import * as vscode from 'vscode';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { WithheldCredentials } from '../../client/http/requestAuthentication.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { allowOrigin, isConfigured } from '../platform/settings.ts';
import { escapeLinks, oneLine } from '../platform/untrustedText.ts';

/** Why the interface in use gets no credentials; undefined where it gets them, or there is no sign-in. Rejects with a `Problem`. */
export async function withheldOf(
  { addressUrl, settings, chosen }: Pick<Agent, 'addressUrl' | 'settings' | 'chosen'>,
  signIns: Pick<SignIns, 'of'>,
): Promise<WithheldCredentials | undefined> {
  return chosen && signIns.of(new URL(addressUrl).href, settings.auth).withheld(new URL(chosen.interface.url));
}

/**
 * Asks whether the credentials of the sign-in may go to another origin, and stores a yes: with the sign-in, and in the agent's settings,
 * which replaces its object. Resolves to the title of the button; undefined where the person gives up. Rejects with a `Problem`.
 * @param other title of another button
 */
export async function allowsCredentials(
  { name, addressUrl }: Pick<Agent, 'name' | 'addressUrl'>,
  signIns: Pick<SignIns, 'allow'>,
  { origin }: WithheldCredentials,
  ...other: readonly string[]
): Promise<string | undefined> {
  if (origin === undefined) return undefined;
  const allow = vscode.l10n.t('Allow');
  const answer = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('Send your credentials for "{0}" to {1}, too?', oneLine(name), origin)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'You signed in at {0}, and the agent is asked at this address. Messages, configured headers and credentials then go there. Allow it only if you know it.',
        new URL(addressUrl).origin,
      ),
    },
    allow,
    ...other,
  );
  if (answer !== allow) return answer;
  await signIns.allow(new URL(addressUrl).href, origin);
  if (isConfigured(name)) await allowOrigin(name, origin);
  return answer;
}
