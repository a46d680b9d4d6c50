import { setTimeout as sleep } from 'node:timers/promises';
import { bindings, type BindingName } from '../mock/binding.ts';
import { ActiveFaults, type ChosenFault } from '../mock/chosenFault.ts';
import { scriptedAgent, type ScriptedAgent } from '../mock/scriptedAgent.ts';
import type { ReceivedRequest, Script, Step, Turn } from '../mock/script.ts';
import { TaskServer, type WorkRequest } from '../mock/taskServer.ts';
import type { Message } from '../protocol/message/message.ts';
import type { Operation } from '../protocol/message/operations.ts';
import { textOf } from '../protocol/message/part.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../protocol/message/streamResponse.ts';
import { isTerminal } from '../protocol/message/taskState.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { versionOf } from '../protocol/versions/index.ts';
import { Matching, turnAt, type Place } from './matching.ts';
import { playedCard } from './playedCard.ts';
import { endSteps } from './recordedEnd.ts';
import type { Recording } from './recording.ts';
import { renamed } from './renamed.ts';
import { beginning, type Asked, type Refusal } from './through.ts';
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
  /** Ways in which it misbehaves, besides those of the recording. */
  readonly faults?: readonly ChosenFault[];
  readonly onError: (error: unknown) => void;
  /** Answers a message that is in no recording: the events of the real agent. Throws a `Problem` where it gives none. */
  readonly through?: ((asked: Asked) => AsyncIterable<StreamResponse>) | undefined;
  /** Called for each message: the number of the request that it is answered like; undefined for one that is in no recording. */
  readonly onMessage?: (message: Message, answer: number | undefined) => void;
}

/** One played conversation. */
interface Played {
  readonly messages: Message[];
  place: Place | undefined;
  /** Ids of the recording and of the real agent, and those that stand for them. */
  readonly ids: Map<string, string>;
  /** Tasks of the real agent, as they are called here and there. */
  readonly tasks: Map<string, string>;
  /** The real agent knows the conversation. */
  isKnown: boolean;
}

/** A message with its answer: a recorded turn, or the events of the real agent. */
type Answering = { readonly played: Played } & (
  | { readonly turn: RecordedTurn; readonly events?: never; readonly over?: never }
  | { readonly turn?: never; readonly events: AsyncIterable<StreamResponse>; readonly over: AbortController }
);

/** Longest pause of a timer, in milliseconds: 24 days. */
const maxPause = 2 ** 31 - 1;
/** Most names of contexts and tasks that are kept: a conversation beyond begins anew. */
const maxPlayed = 10_000;

/** The longest quotation of a message in an error, in UTF-16 code units. */
const maxQuoted = 80;

/** An agent on loopback that answers as a recording has it, with ids of its own. */
export class Player {
  readonly faults: ActiveFaults;
  readonly #options: PlayerOptions;
  readonly #matching: Matching;
  readonly #server: TaskServer;
  readonly #agent: ScriptedAgent;
  readonly #binding: BindingName;
  /** By context and by task, as they are called here. */
  readonly #played = new Map<string, Played>();
  readonly #answering = new WeakMap<Message, Answering>();
  #reused = 0;
  #through = 0;
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
    this.faults = new ActiveFaults([...recording.faults, ...(options.faults ?? [])]);
    const { onError } = options;
    this.#server = new TaskServer({ version, work: request => this.#work(request), onError });
    this.#agent = scriptedAgent({
      version: version.protocolVersion,
      binding,
      script: this.#script(),
      card: url => playedCard(recording, url, { generation: version.protocolVersion, binding, index: undefined }),
      onError,
      keepsRequests: false,
      faults: this.faults,
    });
  }

  /** `http://127.0.0.1:port/`, available after `start`. */
  get url(): string {
    return this.#agent.url;
  }

  /** Numbers of messages so far: answered from the recording, by the real agent, and not at all. */
  get counts(): { readonly reused: number; readonly through: number; readonly unmatched: number } {
    return { reused: this.#reused, through: this.#through, unmatched: this.#unmatched };
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
    const found = await this.#find(params.message, false);
    if ('error' in found) return yield found;
    const { turn } = found;
    if (turn === undefined) return yield* stepsOf(script.SendMessage, request);
    if (turn.answer.length === 0 && turn.end !== undefined) return yield* endSteps(turn.end, this.#binding, false);
    // What was answered at once is answered at once: what came later comes by asking.
    const configuration = { ...params.configuration, ...(!turn.isStreamed && { returnImmediately: true }) };
    yield* stepsOf(script.SendMessage, { ...request, params: { ...params, configuration } });
  }

  async *#stream(request: ReceivedRequest<'SendStreamingMessage'>, script: Script): AsyncGenerator<Step> {
    const { params } = request;
    if (params === undefined) return;
    const found = await this.#find(params.message, true);
    if ('error' in found) return yield found;
    const { turn, played } = found;
    if (turn?.answer.length === 0 && turn.end !== undefined) return yield* endSteps(turn.end, this.#binding, false);
    // A stream ends where it ended. The first event of the server is the task as it was before: what came in its place is in the recording.
    let left = turn?.isStreamed === true ? turn.answer.length : Infinity;
    let isFirst = true;
    for await (const step of left === 0 ? [] : stepsOf(script.SendStreamingMessage, request)) {
      const isSnapshot = isFirst && 'event' in step && 'task' in step.event;
      isFirst = false;
      if (isSnapshot) continue;
      yield step;
      if (--left === 0) break;
    }
    if (turn === undefined) return;
    // What the agent sent after the end of its task is no event of it any more, and came all the same.
    const sent = turn.answer.length - left;
    const last = turn.answer[sent - 1];
    if (turn.isStreamed && last !== undefined && ends(last.event))
      for (const { event } of turn.answer.slice(sent)) yield { event: renamed(event, played.ids) };
    // The connection is closed once the events have left.
    if (turn.end === 'broken') return yield* [{ delay: 1 }, { close: true }];
    if (turn.end !== undefined) yield* endSteps(turn.end, this.#binding, true);
  }

  async #find(message: Message, isStreamed: boolean): Promise<Answering | Refusal> {
    const known =
      (message.taskId === undefined ? undefined : this.#played.get(message.taskId)) ?? this.#played.get(message.contextId ?? '');
    const played = known ?? {
      messages: [],
      place: undefined,
      ids: new Map<string, string>(),
      tasks: new Map<string, string>(),
      isKnown: false,
    };
    const place = this.#matching.find(message, played.messages, played.place);
    this.#options.onMessage?.(message, place && turnAt(place).number);
    if (place !== undefined) {
      this.#reused++;
      played.place = place;
      return this.#answers(message, { turn: turnAt(place), played });
    }
    if (this.#options.through === undefined) {
      this.#unmatched++;
      const nearest = this.#matching.nearest(message);
      const like =
        nearest === undefined ? '' : ` The nearest recorded message is ${quotation(nearest.message)} (request ${nearest.number}).`;
      return {
        error: { code: -32602, message: `The recording has no answer to ${quotation(message)} at this point of the conversation.${like}` },
      };
    }
    this.#through++;
    const after = played.isKnown ? undefined : played.place && turnAt(played.place).number;
    const taskId = played.tasks.get(message.taskId ?? '');
    const over = new AbortController();
    const asked: Asked = { message, conversation: played, taskId, isStreamed, signal: over.signal, after };
    const begun = await beginning(this.#options.through(asked));
    if ('error' in begun) return begun;
    played.isKnown = true;
    return this.#answers(message, { ...begun, over, played });
  }

  #answers(message: Message, answering: Answering): Answering {
    answering.played.messages.push(message);
    this.#answering.set(message, answering);
    return answering;
  }

  /** The events of the answer with the ids that are used here: recorded ones at their pace, those of the real agent as they come. */
  async *#work(request: WorkRequest): AsyncGenerator<StreamResponse> {
    const { message, taskId, contextId, signal } = request;
    const { turn, events, over, played } = this.#answering.get(message)!;
    this.#keep(contextId, played);
    this.#keep(taskId, played);
    if (turn !== undefined) return yield* this.#recorded(turn, request, played);
    signal.addEventListener('abort', () => over.abort(), { once: true });
    let isOver = false;
    let hasTask = false;
    for await (const event of events) {
      const [context, task] = [contextIdOf(event), taskIdOf(event)];
      if (context !== undefined) played.ids.set(context, contextId);
      if (task !== undefined && !hasTask) played.ids.set(task, taskId);
      hasTask ||= task !== undefined;
      const own = renamed(event, played.ids);
      const here = taskIdOf(own);
      if (task !== undefined && here !== undefined) played.tasks.set(here, task);
      if (here !== undefined) this.#keep(here, played);
      if (isOver) this.#server.amend(own);
      else yield own;
      isOver ||= ends(own);
    }
  }

  async *#recorded(
    turn: RecordedTurn,
    { message, taskId, contextId, signal }: WorkRequest,
    played: Played,
  ): AsyncGenerator<StreamResponse> {
    const events = [...turn.answer, ...turn.later];
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

const quotation = (message: Message): string => JSON.stringify(beginningOf(textOf(message.parts), maxQuoted, '…'));
