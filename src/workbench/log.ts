import * as vscode from 'vscode';

/** The "A2A" output channel. Opened by `A2A: Show Log`. */
export const log: vscode.LogOutputChannel = vscode.window.createOutputChannel('A2A', { log: true });
