import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import { systemHost, type FunctionHost } from '../../request/functions.ts';
import { HeldFiles } from '../../request/heldFiles.ts';
import type { Reach } from '../../request/reach.ts';
import { unlinked } from '../oneLine.ts';
import { foldersOf } from './fileEnvironments.ts';
import type { Secrets } from './secrets.ts';

/** What is typed after such a label is not shown. */
const hiddenLabel = /pass(word|phrase)|secret|token|\bkey\b|credential|密码|密钥|令牌/i;

/** What the functions of a request file draw on; in a workspace that is not trusted, nothing beyond the file. */
export function hostFor(uri: vscode.Uri, secrets: Secrets): FunctionHost {
  return vscode.workspace.isTrusted ? { ...systemHost, reach: reachFrom(uri, secrets) } : systemHost;
}

function reachFrom(uri: vscode.Uri, secrets: Secrets): Reach {
  const folders = foldersOf(uri);
  const files = folders === undefined ? undefined : new HeldFiles(folders);
  return {
    env: name => process.env[name],
    secret: name => secrets.get(name),
    prompt: async label => vscode.window.showInputBox({
      title: vscode.l10n.t('Send Request'), prompt: unlinked(label), password: hiddenLabel.test(label), ignoreFocusOut: true,
    }),
    file: path => {
      if (files !== undefined) return files.read(path);
      throw new Problem('no-file', sentence('The file {0} cannot be found from a request file that is not in a folder.', path), {
        nextStep: sentence('Save the request file first.'),
      });
    },
  };
}
