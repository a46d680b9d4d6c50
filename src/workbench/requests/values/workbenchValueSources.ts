import * as vscode from 'vscode';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { asksForSecret, systemHost, type FunctionHost } from '../../../request/template/functions.ts';
import { SandboxedFiles } from '../../../request/values/sandboxedFiles.ts';
import type { ValueSources } from '../../../request/values/valueSources.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';
import { foldersOf } from './fileEnvironments.ts';
import { askForSecret, type Secrets } from './secrets.ts';

/**
 * The sources of template functions in a request file. In an untrusted workspace they reach nothing outside the file.
 * @param ask whether to ask the person for a secret that is not stored yet
 */
export function functionHostFor(uri: vscode.Uri, secrets: Secrets, { ask = false }: { readonly ask?: boolean } = {}): FunctionHost {
  return vscode.workspace.isTrusted ? { ...systemHost, sources: reachFrom(uri, secrets, ask) } : systemHost;
}

function reachFrom(uri: vscode.Uri, secrets: Secrets, ask: boolean): ValueSources {
  const folders = foldersOf(uri);
  const files = folders === undefined ? undefined : new SandboxedFiles(folders);
  return {
    env: name => process.env[name],
    secret: async name => {
      const kept = await secrets.get(name);
      return kept === undefined && ask ? askForSecret(secrets, name) : kept;
    },
    prompt: async label =>
      vscode.window.showInputBox({
        title: vscode.l10n.t('Send Request'),
        prompt: escapeLinks(label),
        password: asksForSecret(label),
        ignoreFocusOut: true,
      }),
    file: path => {
      if (files !== undefined) return files.readForMessage(path);
      throw new Problem('no-file', sentence('The file {0} cannot be found from a request file that is not in a folder.', path), {
        nextStep: sentence('Save the request file first.'),
      });
    },
  };
}
