import * as vscode from 'vscode';
import { secretsToMask } from './shownSecrets.ts';

/** The "A2A" output channel; `A2A: Show Log` opens it. */
export const log: vscode.LogOutputChannel = withoutSecrets(vscode.window.createOutputChannel('A2A', { log: true }));

/** The log channel, with secret values masked. */
function withoutSecrets(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const masked = (value: unknown): unknown => secretsToMask.maskIn(value instanceof Error ? (value.stack ?? value.message) : value);
  return new Proxy(channel, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function'
        ? (...all: unknown[]): unknown => (member as (...all: unknown[]) => unknown).apply(target, all.map(masked))
        : member;
    },
  });
}

/** Logs an internal error with its stack. */
export const logError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
