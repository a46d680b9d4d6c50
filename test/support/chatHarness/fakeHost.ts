import type { SentRequest } from './chatHarness.ts';

declare global {
  interface Window {
    fakeHost: {
      sent: SentRequest[];
      answers: Record<string, unknown>;
      kept: unknown;
      /** Frames, short timers and answers the page waits for. */
      readonly pending: Set<number | string>;
    };
    acquireVsCodeApi: () => { postMessage(message: SentRequest): void; getState(): unknown; setState(state: unknown): void };
  }
}

/** Runs in the page before the panel: what VS Code gives a webview, with a host that answers from a table: by the name of a request, or by its name and parameters. */
export function fakeHost({ answers, kept }: { readonly answers: Record<string, unknown>; readonly kept: unknown }): void {
  const host: Window['fakeHost'] = { sent: [], answers, kept, pending: new Set() };
  const { requestAnimationFrame, setTimeout } = window;
  window.requestAnimationFrame = run => {
    const id = requestAnimationFrame(time => {
      host.pending.delete(`frame ${id}`);
      run(time);
    });
    host.pending.add(`frame ${id}`);
    return id;
  };
  window.setTimeout = ((run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    const id = setTimeout(() => {
      host.pending.delete(id);
      run(...args);
    }, delay);
    if (delay < 1000) host.pending.add(id);
    return id;
  }) as typeof window.setTimeout;
  const { clearTimeout, cancelAnimationFrame } = window;
  window.clearTimeout = id => {
    if (typeof id === 'number') host.pending.delete(id);
    clearTimeout(id);
  };
  window.cancelAnimationFrame = id => {
    host.pending.delete(`frame ${id}`);
    cancelAnimationFrame(id);
  };
  window.fakeHost = host;
  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error('acquireVsCodeApi may be called once');
    acquired = true;
    return {
      postMessage: message => {
        host.sent.push(structuredClone(message));
        if (message.type !== 'request') return;
        const known = host.answers[`${message.name} ${JSON.stringify(message.params)}`] ??
          host.answers[message.name] ?? { result: ['sendForm', 'secrets'].includes(message.name) ? [] : null };
        // Several are given one after the other.
        const answer: unknown = Array.isArray(known) ? (known.length > 1 ? known.shift() : known[0]) : known;
        if (answer === 'never') return;
        host.pending.add(`answer ${message.id}`);
        setTimeout(() => {
          host.pending.delete(`answer ${message.id}`);
          window.postMessage({ type: 'answer', id: message.id, ...(answer as object) });
        });
      },
      getState: () => host.kept,
      setState: state => {
        host.kept = structuredClone(state);
      },
    };
  };
}
