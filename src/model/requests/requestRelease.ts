import { parseAddress } from '../../client/card/agentAddress.ts';
import { Problem, sentence, unlessProblem } from '../../protocol/problem.ts';
import { trackUsedValues, type UsedValues, type SecretDraw } from '../../request/resolve/usedValues.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import {
  resolveExtensions,
  resolveHeaders,
  resolveRequest,
  type ResolvedHeaders,
  type ResolvedRequest,
} from '../../request/resolve/resolve.ts';
import { located } from '../../request/text/requestFault.ts';
import { agentNameOf } from './agentNameOf.ts';
import type { RequestAgent } from './requestPorts.ts';
import type { SendContext } from './sendContext.ts';

/** An agent that a request is for. */
interface FoundAgent {
  readonly agent: RequestAgent;
  /** Its address comes from the response of an agent, and is neither in the file nor in the settings. */
  readonly chosenByAnswer: boolean;
}

/** @param rows what rows of data were made of. Rejects with a `Problem`. */
export async function agentFor(
  entry: RequestEntry,
  scope: Scope,
  { agent: given, model, secretOrigins }: Pick<SendContext, 'agent' | 'model' | 'secretOrigins'>,
  rows?: UsedValues,
): Promise<FoundAgent> {
  const { value: name, drawn } = await trackUsedValues(scope, inner => agentNameOf(entry, inner, given), rows);
  const { agents } = model;
  const chosenByAnswer = drawn.answers && agents.isKnown?.(name) !== true;
  // A request for the card is a request already. A secret that is the whole address, or its host, goes to that address alone.
  const inAddress = [...drawn.secrets].filter(([, { value, isShown }]) => value !== name && !(isShown === true && isHostOf(value, name)));
  if ((inAddress.length > 0 || (drawn.answers && addressIn(name) !== undefined)) && agents.isKnown?.(name) !== true) {
    for (const [, draw] of inAddress) refuseInHost(draw, name);
    await secretOrigins.release({ ...drawn, secrets: new Map(inAddress) }, name, {
      agent: name,
      urls: [parseAddress(name).href],
      chosenByAnswer,
      ofFile: true,
    });
  }
  const agent = await located(entry.agent?.range, () => agents.find(name, { chosenByAnswer }));
  return { agent, chosenByAnswer };
}

const addressIn = (text: string): URL | undefined => unlessProblem(() => parseAddress(text));

/** The value says which host it is, as a variable does that holds the address of a server. */
function isHostOf(value: unknown, name: string): boolean {
  const address = addressIn(name);
  if (typeof value !== 'string' || address === undefined) return false;
  const { host, hostname } = address;
  return value === host || value === hostname || (/^[a-z][a-z\d+.-]*:\/\//i.test(value) && addressIn(value)?.host === host);
}

/** DNS servers see the host of an address, and a secret in it. @throws Problem `secret-in-host` */
function refuseInHost({ isPrivate, isShown, name, value }: SecretDraw, address: string): void {
  // The private values of an environment are often parts of addresses, as are variables, and some secrets are addresses themselves.
  if (isPrivate === true || isShown === true || typeof value !== 'string' || value === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(value)) return;
  const [, host = ''] = /^(?:[a-z][a-z\d+.-]*:[/\\]+)?([^/\\?#]*)/i.exec(address.trim().replaceAll(value, place)) ?? [];
  if (!host.includes(place)) return;
  throw new Problem(
    'secret-in-host',
    sentence('The request was not sent: the secret {0} is part of the host name, which a DNS lookup would reveal.', name),
    {
      nextStep: sentence('Put the secret into a header or the message.'),
    },
  );
}

/** Stands in an address where a secret was. */
const place = 'secretvalue0a2a';

/** A request that may be sent, with headers of its own. */
interface ReleasedRequest {
  readonly request: ResolvedRequest;
  readonly headers: ResolvedHeaders | undefined;
  /** URIs of extensions that it asks for. */
  readonly extensions: readonly string[] | undefined;
}

/** The resolved request, see `resolveRequest`, once its secrets may go to these addresses. Rejects with a `Problem`. */
export async function releasedRequest(
  entry: RequestEntry,
  scope: Scope,
  { agent, chosenByAnswer }: FoundAgent,
  {
    urls,
    sending: { noWait = false, secretOrigins },
    rows,
  }: {
    readonly urls: readonly string[];
    readonly sending: Pick<SendContext, 'noWait' | 'secretOrigins'>;
    readonly rows?: UsedValues | undefined;
  },
): Promise<ReleasedRequest> {
  const { value: released, drawn } = await trackUsedValues(
    scope,
    async inner => ({
      request: await resolveRequest(entry, inner, !noWait && agent.card?.capabilities.streaming === true),
      headers: await resolveHeaders(entry, inner),
      extensions: await resolveExtensions(entry, inner),
    }),
    rows,
  );
  await secretOrigins.release(drawn, released, { agent: agent.name, urls, chosenByAnswer, ofFile: true });
  return released;
}
