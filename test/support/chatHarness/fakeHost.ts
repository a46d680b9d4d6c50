import type { SentRequest } from './chatHarness.ts';

declare global {
  interface Window {
    fakeHost: {
      sent: SentRequest[];
      answers: Record<string, unknown>;
      kept: unknown;
    };
    /** Filled by attacks that get through. */
    executions: number[];
    acquireVsCodeApi: () => { postMessage(message: SentRequest): void; getState(): unknown; setState(state: unknown): void };
  }
}

/** Runs in the page before the panel: what VS Code gives a webview, with a host that answers from a table. */
export function fakeHost({ ready, kept }: { readonly ready: unknown; readonly kept: unknown }): void {
  const host: Window['fakeHost'] = { sent: [], answers: { ready }, kept };
  window.fakeHost = host;
  window.executions = [];
  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error('acquireVsCodeApi may be called once');
    acquired = true;
    return {
      postMessage: message => {
        host.sent.push(structuredClone(message));
        const answer = host.answers[message.name] ?? { result: null };
        if (answer !== 'never') setTimeout(() => window.postMessage({ type: 'answer', id: message.id, ...(answer as object) }));
      },
      getState: () => host.kept,
      setState: state => { host.kept = structuredClone(state); },
    };
  };
}
