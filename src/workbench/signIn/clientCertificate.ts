import * as vscode from 'vscode';
import { showFocusedInput } from './signInPrompts.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { TlsSettings } from '../../model/agents/agentSettings.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isConfigured, setTls } from '../platform/settings.ts';

/** Keeps secrets of the person, by name, for `{{$secret NAME}}`. */
export interface SecretKeeper {
  set(name: string, value: string): Promise<void>;
}

/**
 * Makes sure that the agent's settings name a client certificate: asks for its files and its passphrase, which goes to the keychain. False
 * where the person gives up; rejects with a `Problem` where the agent is not in the settings.
 */
export async function clientCertificate(agent: Agent, secrets: SecretKeeper, title: string): Promise<boolean> {
  const { tls = {} } = agent.settings;
  if (tls.certificate !== undefined || tls.pfx !== undefined) return true;
  if (!isConfigured(agent.name))
    throw new Problem('sign-in-certificate', sentence('The agent requires a client certificate, which its settings name.'), {
      nextStep: sentence('Write "tls" with "certificate" and "key", or with "pfx", into its entry in the setting a2a.agents.'),
    });
  const form = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('PEM Files'), detail: vscode.l10n.t('A certificate and its private key'), pfx: false },
      { label: vscode.l10n.t('PFX File'), detail: vscode.l10n.t('Both in one file (PKCS #12, .pfx or .p12)'), pfx: true },
    ],
    { title, placeHolder: vscode.l10n.t('In which form do you have the client certificate?'), ignoreFocusOut: true },
  );
  if (form === undefined) return false;
  const files = form.pfx
    ? await chosenFiles({ pfx: vscode.l10n.t('PFX file') }, ['pfx', 'p12'])
    : await chosenFiles({ certificate: vscode.l10n.t('Certificate'), key: vscode.l10n.t('Private key') }, ['pem', 'crt', 'cer', 'key']);
  if (files === undefined) return false;
  const passphrase = await showFocusedInput({
    title,
    prompt: vscode.l10n.t('Passphrase of the private key. Leave it empty if it has none. It is kept in the keychain of this computer.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (passphrase === undefined) return false;
  const secret = `${agent.name.replaceAll(/[^\w]+/g, '-')}-certificate`;
  if (passphrase !== '') await secrets.set(secret, passphrase);
  await setTls(agent.name, { ...tls, ...files, ...(passphrase !== '' && { passphrase: `{{$secret ${secret}}}` }) });
  return true;
}

/** Asks for one file after the other; undefined where the person gives up. */
async function chosenFiles(
  wanted: Pick<TlsSettings, 'pfx' | 'certificate' | 'key'>,
  extensions: readonly string[],
): Promise<TlsSettings | undefined> {
  const files: Record<string, string> = {};
  for (const [member, title] of Object.entries(wanted)) {
    const chosen = await vscode.window.showOpenDialog({
      title,
      openLabel: title,
      filters: { [title]: [...extensions], [vscode.l10n.t('All Files')]: ['*'] },
    });
    const [file] = chosen ?? [];
    if (file === undefined) return undefined;
    files[member] = file.fsPath;
  }
  return files;
}
