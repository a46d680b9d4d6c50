import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import type { CommandHandlers } from '../../platform/commands.ts';
import { missingSecretOf } from '../../../model/agents/agentHeaders.ts';
import { nodeOf } from '../../agentsView/agentNodes.ts';
import { escapeIcons } from '../../platform/untrustedText.ts';
import { report } from '../../platform/report.ts';

/** Prefix of the keys in VS Code's secret storage that belong to `{{$secret NAME}}`. */
const prefix = 'requests.secret.';

/** Values of `{{$secret NAME}}`. VS Code stores them in the system's keychain; they are never in a file of ours. */
export class Secrets implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #registration: vscode.Disposable;
  #names: readonly string[] = [];
  readonly onDidChange = this.#changed.event;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
    this.#registration = storage.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) this.#list().catch(report);
    });
    this.#list().catch(report);
  }

  /** The names as last read, sorted. */
  get names(): readonly string[] {
    return this.#names;
  }

  get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.#storage.get(prefix + name));
  }

  async set(name: string, value: string): Promise<void> {
    await this.#storage.store(prefix + name, value);
    await this.#list();
  }

  async delete(name: string): Promise<void> {
    await this.#storage.delete(prefix + name);
    await this.#list();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #list(): Promise<void> {
    this.#names = (await this.#storage.keys())
      .filter(key => key.startsWith(prefix))
      .map(key => key.slice(prefix.length))
      .sort();
    this.#changed.fire();
  }
}

/**
 * Asks for the value of a secret and stores it; undefined if the person gives none.
 * @param agent the agent whose settings need it
 */
export async function askForSecret(secrets: Secrets, name: string, agent?: string): Promise<string | undefined> {
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set Secret'),
    prompt:
      agent === undefined
        ? vscode.l10n.t('The value of {0}. It is kept in the keychain of this computer.', escapeIcons(name))
        : vscode.l10n.t(
            'The value of {0} for the agent "{1}". It is kept in the keychain of this computer.',
            escapeIcons(name),
            escapeIcons(agent),
          ),
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined || value === '') return undefined;
  await secrets.set(name, value);
  return value;
}

/** Commands that set and delete secrets. Their argument can be a name or an agent that misses one, never a value. */
export function secretCommands(secrets: Secrets): Pick<CommandHandlers, 'a2a.setSecret' | 'a2a.deleteSecret'> {
  return {
    'a2a.setSecret': async given => {
      const name =
        typeof given === 'string'
          ? given
          : (missingSecretOf(nodeOf('agent', given)?.agent?.problem) ??
            (await vscode.window.showInputBox({
              title: vscode.l10n.t('Set Secret'),
              prompt: vscode.l10n.t('Secret name, as in {{$secret NAME}}'),
              ignoreFocusOut: true,
              validateInput: text => (/^[\w.-]+$/.test(text.trim()) ? undefined : vscode.l10n.t('Use letters, digits, "_", "-" and ".".')),
            })));
      if (name === undefined || name.trim() === '') return;
      await askForSecret(secrets, name.trim());
    },
    'a2a.deleteSecret': async given => {
      if (secrets.names.length === 0)
        throw new Problem('no-secret', sentence('No secrets.'), { nextStep: sentence('Run "A2A: Set Secret…".') });
      const name =
        typeof given === 'string'
          ? given
          : await vscode.window.showQuickPick([...secrets.names], { title: vscode.l10n.t('Delete Secret') });
      if (name !== undefined) await secrets.delete(name);
    },
  };
}
