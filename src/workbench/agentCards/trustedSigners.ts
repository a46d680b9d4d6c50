import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';

const setting = 'a2a.trustedSigningKeys';

/** The setting `a2a.trustedSigningKeys` of the user: a workspace cannot say whom a person trusts. */
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
  const before = trustedSigners();
  const signers = typeof before === 'object' && before !== null ? (before as Readonly<Record<string, unknown>>) : {};
  let free = name;
  for (let count = 2; Object.hasOwn(signers, free); count++) free = `${name} (${count})`;
  try {
    await vscode.workspace.getConfiguration().update(setting, { ...signers, [free]: signer }, vscode.ConfigurationTarget.Global);
  } catch (cause) {
    throw new Problem(
      'settings-not-written',
      sentence('The settings could not be written: {0}', cause instanceof Error ? cause.message : String(cause)),
      { nextStep: sentence('Save or correct the settings file, then try again.'), cause },
    );
  }
  return free;
}
