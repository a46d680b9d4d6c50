import { received } from '../../protocol/json/exactJson.ts';
import { Channel } from './channel.ts';
import type { AnswerEnvelope, EventEnvelope } from './messages.ts';
import type { Draft } from './draft.ts';
import { draftOf, formsOf, type KeptForms, type KeptState } from './keptState.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: KeptState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The panel's interface to the extension host; wraps the object from `acquireVsCodeApi`. */
export interface Host {
  readonly channel: Channel;
  keep(state: KeptState): void;
  /** The draft kept from before a reload; empty where there was none. */
  readonly keptDraft: Draft;
  readonly keptForms: KeptForms;
}

/** Connects to the host; can be called once per page. */
export function connectHost(): Host {
  const api = acquireVsCodeApi();
  const channel = new Channel(message => api.postMessage(message));
  window.addEventListener('message', ({ data }) => {
    if (!channel.receive(received(data) as AnswerEnvelope | EventEnvelope))
      console.warn('The chat panel does not know this message of its host', data);
  });
  const state = api.getState();
  return { channel, keep: kept => api.setState(kept), keptDraft: draftOf(state), keptForms: formsOf(state) };
}
