import * as vscode from 'vscode';
import { escapeIcons, oneLine, truncated } from '../../platform/untrustedText.ts';
import type { FileEnvironment } from '../values/fileEnvironments.ts';

/** Name of an environment for the user interface, at most `max` characters. */
export function environmentTitle({ name, production }: FileEnvironment, max = 40): string {
  const shown = name === undefined ? vscode.l10n.t('No Environment') : escapeIcons(truncated(oneLine(name), max));
  return production ? vscode.l10n.t('{0} (production)', shown) : shown;
}
