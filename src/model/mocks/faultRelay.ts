import { EventReader } from '../../client/sse/eventReader.ts';
import { ActiveFaults } from '../../mock/chosenFault.ts';
import { scriptedAgent, type ScriptedAgent } from '../../mock/scriptedAgent.ts';
import type { ReceivedRequest, Script, Step } from '../../mock/script.ts';
import { servedCard, servedInterface } from '../../mock/servedCard.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { exactJson } from '../../protocol/json/exactJson.ts';
import { isStreaming, operations } from '../../protocol/message/operations.ts';
import { readResult, readStreamResponses } from '../../protocol/versions/index.ts';
import { v1_0 } from '../../protocol/versions/v1_0.ts';

/** Longest event of the agent behind it, in UTF-16 code units. */
const maxEventLength = 32 * 2 ** 20;
/** Headers of a request that mean something to the agent behind. */
const passedOn = ['accept', 'a2a-version', 'a2a-extensions', 'content-type'];

/** An agent on loopback that passes requests on to another one on this machine, over JSON-RPC in A2A 1.0, and answers with faults. */
export class FaultRelay {
  readonly faults = new ActiveFaults();
  readonly #behind: string;
  readonly #onError: (error: unknown) => void;
  #agent: ScriptedAgent | undefined;

  /** @param behind address of the other agent, its JSON-RPC interface */
  constructor(behind: string, onError: (error: unknown) => void) {
    this.#behind = behind;
    this.#onError = onError;
  }

  /** Listens on a free port, or on this one; gives its address. Rejects where the agent behind has no card. */
  async start(port = 0): Promise<string> {
    const headers = { 'a2a-version': '1.0' };
    const card: unknown = await (await fetch(new URL(v1_0.cardPath, this.#behind), { headers })).json();
    const script: Script = Object.fromEntries(
      operations.map(operation => [operation, (request: ReceivedRequest) => answerOf(request, this.#behind)]),
    );
    this.#agent = scriptedAgent({
      version: '1.0',
      script,
      card: url => servedCard(card, url, servedInterface(card)),
      onError: this.#onError,
      keepsRequests: false,
      faults: this.faults,
    });
    await this.#agent.start(port);
    return this.#agent.url;
  }

  async stop(): Promise<void> {
    await this.#agent?.stop();
  }
}

/** The answer of the agent behind, as steps. */
async function* answerOf({ headers, body, operation, signal }: ReceivedRequest, behind: string): AsyncGenerator<Step> {
  const sent = Object.fromEntries(passedOn.flatMap(name => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])));
  const response = await fetch(behind, { method: 'POST', headers: sent, body, signal });
  const mediaType = response.headers.get('content-type') ?? 'text/plain';
  if (response.body !== null && mediaType.startsWith('text/event-stream')) return yield* eventsOf(response.body);
  const text = await response.text();
  const value: unknown = mediaType.includes('json') ? exactJson(text) : undefined;
  const { result, error } = isObject(value) ? value : {};
  if (isObject(error)) yield { error: error as Extract<Step, { error: unknown }>['error'] };
  else if (result !== undefined && operation !== undefined && !isStreaming(operation))
    yield { answer: readResult(operation, result, v1_0, ignoreFindings) };
  else yield* [{ status: response.status, headers: { 'content-type': mediaType } }, { raw: text }];
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Step> {
  const reader = new EventReader(maxEventLength);
  const decoder = new TextDecoder();
  for await (const bytes of body)
    for (const { data } of reader.take(decoder.decode(bytes, { stream: true }), 0)) {
      const value = exactJson(data);
      const { result, error } = isObject(value) ? value : {};
      if (isObject(error)) yield { error: error as Extract<Step, { error: unknown }>['error'] };
      else for (const event of readStreamResponses(result, v1_0, ignoreFindings)) yield { event };
    }
}
