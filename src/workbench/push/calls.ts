import * as vscode from 'vscode';

/** Asks an agent, with a notification that lets the person give up. Rejects with the call's `Problem`. */
export function asking<T>(title: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return Promise.resolve(
    vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
      const enough = new AbortController();
      const listener = token.onCancellationRequested(() => enough.abort());
      try {
        return await call(enough.signal);
      } finally {
        listener.dispose();
      }
    }),
  );
}
