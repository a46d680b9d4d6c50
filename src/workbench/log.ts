import * as vscode from 'vscode';

/** The "A2A" output channel. Opened by `A2A: Show Log`. */
export const log: vscode.LogOutputChannel = vscode.window.createOutputChannel('A2A', { log: true });

/** Agent text for the log: control characters (terminal escapes among them) made visible. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
