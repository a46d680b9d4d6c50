import { parseAddress } from '../client/agentAddress.ts';
import { drawing, type Drawn } from '../request/drawn.ts';
import type { Scope } from '../request/fill.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { resolveRequest, type ResolvedRequest } from '../request/resolve.ts';
import { agentNameOf } from './agentNameOf.ts';
import type { RequestAgent, RequestModel } from './requestPeer.ts';
import type { SecretOrigins } from './secretOrigins.ts';

/** An agent that a request is for. */
export interface FoundAgent {
  readonly agent: RequestAgent;
  /** Its address comes from the answer of an agent: neither the file nor the person knows it. */
  readonly chosenByAnswer: boolean;
}

export interface ReleaseNeeds {
  readonly secretOrigins: SecretOrigins;
  /** What the rows of data were made of. */
  readonly rows?: Drawn;
}

/** @param given the agent for a request that names none. Rejects with a `Problem`. */
export async function agentFor(entry: RequestEntry, scope: Scope, given: string | undefined, { model, secretOrigins, rows }: ReleaseNeeds & { readonly model: RequestModel }): Promise<FoundAgent> {
  const { value: name, drawn } = await drawing(scope, inner => agentNameOf(entry, inner, given), rows);
  const { agents } = model;
  const chosenByAnswer = drawn.answers && agents.isKnown?.(name) !== true;
  // Reading its card is a request already. What is the whole address is told to nobody but that address.
  const inAddress = [...drawn.secrets].filter(([, { value }]) => value !== name);
  if (inAddress.length > 0 && agents.isKnown?.(name) !== true) {
    await secretOrigins.release({ ...drawn, secrets: new Map(inAddress) }, name, { agent: name, urls: [parseAddress(name).href], chosenByAnswer });
  }
  return { agent: agents.find(name, { chosenByAnswer }), chosenByAnswer };
}

/** What a request means, see `resolveRequest`, once its secrets may go to these addresses. Rejects with a `Problem`. */
export async function releasedRequest(entry: RequestEntry, scope: Scope, { agent, chosenByAnswer }: FoundAgent, { noWait = false, urls, secretOrigins, rows }: ReleaseNeeds & {
  /** It does not stream, although its agent does. */
  readonly noWait?: boolean;
  readonly urls: readonly string[];
}): Promise<ResolvedRequest> {
  const { value: request, drawn } = await drawing(scope, inner => resolveRequest(entry, inner, !noWait && agent.card?.capabilities.streaming === true), rows);
  await secretOrigins.release(drawn, request, { agent: agent.name, urls, chosenByAnswer });
  return request;
}
