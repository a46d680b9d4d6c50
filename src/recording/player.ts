import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertCard } from '../card/convertCard.ts';
import { bindings, type BindingName } from '../mock/binding.ts';
import { minimalCard } from '../mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../mock/scriptedAgent.ts';
import type { ReceivedRequest, Script, Step, Turn } from '../mock/script.ts';
import { servedCard } from '../mock/servedCard.ts';
import { TaskServer, type WorkRequest } from '../mock/taskServer.ts';
import { isObject } from '../protocol/json.ts';
import type { Message } from '../protocol/message/message.ts';
import type { Operation } from '../protocol/message/operations.ts';
import { textOf } from '../protocol/message/part.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../protocol/message/streamResponse.ts';
import { isTerminal } from '../protocol/message/taskState.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { versionOf } from '../protocol/versions/index.ts';
import { Matching, turnAt, type Place } from './matching.ts';
import { endSteps } from './recordedEnd.ts';
import type { Recording } from './recording.ts';
import { conversationsIn, type RecordedTurn } from './turns.ts';

/** The bindings that a recording can be played in. */
export const playedBindings = Object.keys(bindings) as readonly BindingName[];

interface PlayerOptions {
  /** `1.0`, `0.3` …; the recorded one by default. */
  readonly version?: string | undefined;
  /** The recorded one by default, where the version has it; else JSON-RPC. */
  readonly binding?: BindingName | undefined;
  /** 1 plays at the recorded pace, 2 twice as fast, 0 without a pause. */
  readonly speed: number;
  /** Answer a message that was not recorded as the nearest one was. */
  readonly isLoose: boolean;
  readonly onError: (error: unknown) => void;
  /** Called for each message: the number of the request that it is answered like; undefined for one that is in no recording. */
  readonly onMessage?: (message: Message, answer: number | undefined) => void;
}

/** One played conversation. */
interface Played {
  readonly messages: Message[];
  place: Place | undefined;
  /** Ids of the recording, and those that stand for them. */
  readonly ids: Map<string, string>;
}

/** Longest pause of a timer, in milliseconds: 24 days. */
const maxPause = 2 ** 31 - 1;
/** Most names of contexts and tasks that are kept: a conversation beyond begins anew. */
const maxPlayed = 10_000;

/** The longest quotation of a message in an error, in UTF-16 code units. */
const maxQuoted = 80;

/** An agent on loopback that answers as a recording has it, with ids of its own. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #matching: Matching;
  readonly #server: TaskServer;
  readonly #agent: ScriptedAgent;
  readonly #binding: BindingName;
  /** By context and by task, as they are called here. */
  readonly #played = new Map<string, Played>();
  /** The turn that answers a message that is under way. */
  readonly #turns = new WeakMap<Message, { readonly turn: RecordedTurn; readonly played: Played }>();
  #answered = 0;
  #unmatched = 0;

  /** @throws Problem `nothing-to-play`; `unknown-generation` for a version or binding that cannot be served */
  constructor(recording: Recording, options: PlayerOptions) {
    this.#options = options;
    const { conversations } = conversationsIn(recording);
    if (conversations.length === 0)
      throw new Problem('nothing-to-play', sentence('This recording has no message and answer that could be played.'), {
        nextStep: sentence('Record a conversation with the agent.'),
      });
    this.#matching = new Matching({ conversations, rules: recording.rules, isLoose: options.isLoose });
    const { protocolVersion, protocolBinding } = recording.exchanges[conversations[0]![0]!.number - 1]!.exchange;
    const generation = options.version ?? protocolVersion;
    const version = versionOf(generation);
    if (version === undefined || version.taskRoutes !== undefined)
      throw new Problem('unknown-generation', sentence('A2A {0} is not supported here.', generation));
    const recorded = playedBindings.find(name => name === protocolBinding && bindings[name].versionFor(version) !== undefined);
    const binding = options.binding ?? recorded ?? 'JSONRPC';
    this.#binding = binding;
    const { onError } = options;
    this.#server = new TaskServer({ version, work: request => this.#work(request), onError });
    this.#agent = scriptedAgent({
      version: version.protocolVersion,
      binding,
      script: this.#script(),
      card: url => playedCard(recording, url, { generation: version.protocolVersion, binding, index: undefined }),
      onError,
      keepsRequests: false,
    });
  }

  /** `http://127.0.0.1:port/`, available after `start`. */
  get url(): string {
    return this.#agent.url;
  }

  /** Numbers of messages so far: those that were answered, and those that are in no recording. */
  get counts(): { readonly answered: number; readonly unmatched: number } {
    return { answered: this.#answered, unmatched: this.#unmatched };
  }

  start(port = 0): Promise<void> {
    return this.#agent.start(port);
  }

  stop(): Promise<void> {
    this.#server.stop();
    return this.#agent.stop();
  }

  #script(): Script {
    const { script } = this.#server;
    return {
      ...script,
      SendMessage: request => this.#unary(request, script),
      SendStreamingMessage: request => this.#stream(request, script),
    };
  }

  async *#unary(request: ReceivedRequest<'SendMessage'>, script: Script): AsyncGenerator<Step> {
    const { params } = request;
    if (params === undefined) return;
    const found = this.#find(params.message);
    if ('error' in found) return yield found;
    const { turn } = found;
    if (turn.answer.length === 0 && turn.end !== undefined) return yield* endSteps(turn.end, this.#binding, false);
    // What was answered at once is answered at once: what came later comes by asking.
    const configuration = { ...params.configuration, ...(!turn.isStreamed && { returnImmediately: true }) };
    yield* stepsOf(script.SendMessage, { ...request, params: { ...params, configuration } });
  }

  async *#stream(request: ReceivedRequest<'SendStreamingMessage'>, script: Script): AsyncGenerator<Step> {
    const { params } = request;
    if (params === undefined) return;
    const found = this.#find(params.message);
    if ('error' in found) return yield found;
    const { turn } = found;
    if (turn.answer.length === 0 && turn.end !== undefined) return yield* endSteps(turn.end, this.#binding, false);
    // A stream ends where it ended. The first event of the server is the task as it was before: what came in its place is in the recording.
    let left = turn.isStreamed ? turn.answer.length : Infinity;
    let isFirst = true;
    for await (const step of left === 0 ? [] : stepsOf(script.SendStreamingMessage, request)) {
      const isSnapshot = isFirst && 'event' in step && 'task' in step.event;
      isFirst = false;
      if (isSnapshot) continue;
      yield step;
      if (--left === 0) break;
    }
    // What the agent sent after the end of its task is no event of it any more, and came all the same.
    const sent = turn.answer.length - left;
    const last = turn.answer[sent - 1];
    if (turn.isStreamed && last !== undefined && ends(last.event))
      for (const { event } of turn.answer.slice(sent)) yield { event: renamed(event, this.#turns.get(params.message)!.played.ids) };
    // The connection is closed once the events have left.
    if (turn.end === 'broken') return yield* [{ delay: 1 }, { close: true }];
    if (turn.end !== undefined) yield* endSteps(turn.end, this.#binding, true);
  }

  #find(message: Message): { readonly turn: RecordedTurn } | Extract<Step, { error: unknown }> {
    const known =
      (message.taskId === undefined ? undefined : this.#played.get(message.taskId)) ?? this.#played.get(message.contextId ?? '');
    const played = known ?? { messages: [], place: undefined, ids: new Map<string, string>() };
    const place = this.#matching.find(message, played.messages, played.place);
    this.#options.onMessage?.(message, place && turnAt(place).number);
    if (place === undefined) {
      this.#unmatched++;
      const nearest = this.#matching.nearest(message);
      const like =
        nearest === undefined ? '' : ` The nearest recorded message is ${quotation(nearest.message)} (request ${nearest.number}).`;
      return {
        error: { code: -32602, message: `The recording has no answer to ${quotation(message)} at this point of the conversation.${like}` },
      };
    }
    this.#answered++;
    played.messages.push(message);
    played.place = place;
    const turn = turnAt(place);
    this.#turns.set(message, { turn, played });
    return { turn };
  }

  /** The recorded events at their pace, with the ids that are used here. */
  async *#work({ message, taskId, contextId, signal }: WorkRequest): AsyncGenerator<StreamResponse> {
    const { turn, played } = this.#turns.get(message)!;
    const events = [...turn.answer, ...turn.later];
    this.#keep(contextId, played);
    this.#keep(taskId, played);
    const first = (of: (event: StreamResponse) => string | undefined): string | undefined =>
      events.map(({ event }) => of(event)).find(id => id !== undefined);
    played.ids.set(turn.message.messageId, message.messageId);
    for (const [recorded, here] of [
      [first(contextIdOf), contextId],
      [first(taskIdOf), taskId],
    ] as const)
      if (recorded !== undefined) played.ids.set(recorded, here);
    let waited = 0;
    let isOver = false;
    for (const { event, after } of events) {
      if (!isOver && after > waited) waited += await this.#pause(after - waited, signal);
      const own = renamed(event, played.ids);
      const other = taskIdOf(own);
      if (other !== undefined) this.#keep(other, played);
      // What was learned by asking after the end is no event any more.
      if (isOver) this.#server.amend(own);
      else yield own;
      isOver ||= ends(own);
    }
  }

  #keep(name: string, played: Played): void {
    this.#played.set(name, played);
    if (this.#played.size > maxPlayed) this.#played.delete(this.#played.keys().next().value!);
  }

  /** Waits as long as it took, at the chosen speed. Gives the recorded time. */
  async #pause(ms: number, signal: AbortSignal): Promise<number> {
    const { speed } = this.#options;
    if (speed > 0 && ms / speed >= 1) await sleep(Math.min(ms / speed, maxPause), undefined, { signal }).catch(() => {});
    return ms;
  }
}

/** True for an event after which its task takes no more. */
function ends(event: StreamResponse): boolean {
  if ('task' in event) return isTerminal(event.task.status.state);
  return 'statusUpdate' in event && isTerminal(event.statusUpdate.status.state);
}

const stepsOf = <O extends Operation>(turn: Turn<O> | undefined, request: ReceivedRequest<O>): Iterable<Step> | AsyncIterable<Step> =>
  typeof turn === 'function' ? turn(request) : (turn ?? []);

/** The members whose values name a task, a context or a message. */
const idMembers = new Set(['id', 'taskId', 'contextId', 'messageId', 'referenceTaskIds']);

/** An event with ids of this agent in place of recorded ones: wherever a text is one of them, and new ones for those that are new. */
function renamed(event: StreamResponse, ids: Map<string, string>): StreamResponse {
  const note = (id: string | undefined): void => {
    if (id !== undefined && !ids.has(id)) ids.set(id, randomUUID());
  };
  note(taskIdOf(event));
  note(contextIdOf(event));
  const walk = (value: unknown, member = ''): unknown => {
    if (typeof value === 'string') {
      if (member === 'messageId') note(value);
      return idMembers.has(member) || value.length >= shortestInText ? (ids.get(value) ?? value) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    // What has no id in it, most of a chunk, is given on as it is. A member that is called __proto__ stays a member: it is in the copy before.
    const before = value as Readonly<Record<string, unknown>>;
    let now: Record<string, unknown> | undefined;
    for (const name of Object.keys(before)) {
      const inner = walk(before[name], Array.isArray(value) ? member : name);
      if (inner !== before[name])
        (now ??= (Array.isArray(value) ? [...(value as readonly unknown[])] : { ...before }) as Record<string, unknown>)[name] = inner;
    }
    return now ?? value;
  };
  return walk(event) as StreamResponse;
}

/** A shorter text that equals an id may be a word. In UTF-16 code units. */
const shortestInText = 8;

const quotation = (message: Message): string => JSON.stringify(beginningOf(textOf(message.parts), maxQuoted, '…'));

/** The recorded card for this address and interface, without what the played agent does not ask for: sign-ins, signatures. */
function playedCard({ card, agent }: Recording, url: string, served: Parameters<typeof servedCard>[2]): unknown {
  const { generation, binding } = served;
  const plain = minimalCard(url, generation, binding);
  if (!isObject(card)) return { ...plain, name: agent.name ?? 'Recorded agent' };
  const { securitySchemes: _, security: __, securityRequirements: ___, signatures: ____, ...open } = card;
  if (generation === '0.1') return { ...plain, ...pick(open, ['name', 'description', 'version', 'capabilities', 'skills']) };
  const shape = generation.startsWith('1.') ? '1.0' : '0.3';
  const has = Array.isArray(open['supportedInterfaces']) ? '1.0' : '0.3';
  const own = shape === has ? open : (JSON.parse(convertCard(open, shape).text) as unknown);
  const shown = servedCard(own, url, served);
  return shape === '0.3' && isObject(shown) ? { ...shown, ...pick(plain as Record<string, unknown>, ['protocolVersion']) } : shown;
}

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]])));
