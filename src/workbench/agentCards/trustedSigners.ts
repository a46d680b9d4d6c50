import * as vscode from 'vscode';
import { settingsNotWritten } from '../platform/settings.ts';

const setting = 'a2a.trustedSigningKeys';

/** The setting `a2a.trustedSigningKeys` of the user: a workspace must not decide whom a person trusts. */
export const trustedSigners = (): unknown => vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue;

export const onDidChangeTrustedSigners = (listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(setting)) listener();
  });

/**
 * Adds a signer to the user's settings, under a name that no other has yet. Returns the name. Rejects with a `Problem`
 * `settings-not-written`.
 */
export async function addTrustedSigner(name: string, signer: Readonly<Record<string, unknown>>): Promise<string> {
  const signers = written();
  let free = name;
  for (let count = 2; Object.hasOwn(signers, free); count++) free = `${name} (${count})`;
  await write({ ...signers, [free]: signer });
  return free;
}

/** Removes a signer from the user's settings. Rejects with a `Problem` `settings-not-written`. */
export async function removeTrustedSigner(name: string): Promise<void> {
  const { [name]: _, ...others } = written();
  await write(Object.keys(others).length === 0 ? undefined : others);
}

function written(): Readonly<Record<string, unknown>> {
  const value = trustedSigners();
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

async function write(signers: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  try {
    await vscode.workspace.getConfiguration().update(setting, signers, vscode.ConfigurationTarget.Global);
  } catch (cause) {
    throw settingsNotWritten(cause);
  }
}
