import * as vscode from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';

const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Opens a link that an agent wrote, if its scheme is http, https or mailto. The person first sees the whole address, in ASCII, and
 * confirms.
 * @throws Problem `bad-link` for any other scheme
 */
export async function openUntrustedLink(url: string): Promise<void> {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new Problem('bad-link', sentence('This link is not an address: {0}', url.slice(0, 200)), { cause });
  }
  if (!schemes.has(parsed.protocol)) {
    throw new Problem('bad-link', sentence('Links from agents can only open web pages and mail addresses, not {0}', parsed.protocol));
  }
  const open = vscode.l10n.t('Open');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('An agent wrote this link. Open it?'),
    { modal: true, detail: parsed.href },
    open,
  );
  if (choice === open) await vscode.env.openExternal(vscode.Uri.parse(parsed.href, true));
}
