import { received } from '../../protocol/json/exactJson.ts';
import { Channel } from './channel.ts';
import type { KeptState } from './keptState.ts';
import type { AnswerEnvelope, EventEnvelope } from './messages.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The panel's interface to the extension host; wraps the object from `acquireVsCodeApi`. */
export interface Host {
  readonly channel: Channel;
  keep(state: KeptState): void;
  /** State of an earlier page, unchecked; null where there was none. */
  readonly kept: KeptState | null;
}

/** Connects to the host; can be called once per page. */
export function connectHost(): Host {
  const api = acquireVsCodeApi();
  const channel = new Channel(message => api.postMessage(message));
  window.addEventListener('message', ({ data }) => {
    if (!channel.receive(received(data) as AnswerEnvelope | EventEnvelope))
      console.warn('The chat panel does not know this message of its host', data);
  });
  return { channel, keep: state => api.setState(state), kept: api.getState() ?? null };
}
