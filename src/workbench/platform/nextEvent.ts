import type { Event } from 'vscode';

/** Resolves with the next event, or after `atMost` milliseconds. */
export function nextEvent(event: Event<unknown>, atMost: number): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, atMost);
    const listener = event(done);
  });
}
