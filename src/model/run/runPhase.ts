/**
 * Where a run is. `docs/development.md` draws it.
 *
 * - `sending`: the message is on its way, and the agent has not begun to answer.
 * - `streaming`: an answer is read, be it a stream, a subscription or a single answer.
 * - `recovering`: no answer is open; the agent is asked for the task, and the task subscribed to.
 * - `closing`: nothing is listened to any more; what came is still written, and so is what the agent answers to a stop.
 * - `over`: nothing is written any more.
 */
export type RunPhase = 'sending' | 'streaming' | 'recovering' | 'closing' | 'over';

/** In their order. */
export const runPhases: readonly RunPhase[] = ['sending', 'streaming', 'recovering', 'closing', 'over'];

/** Why a run stopped listening by itself. */
export type Cut = 'stopped' | 'detached' | 'superseded' | 'disowned' | 'failed' | 'full';

export type RunEvent = 'answer begun' | 'ended early' | 'asking' | 'settled' | Cut | 'written';

type Row = Readonly<Partial<Record<RunPhase, RunPhase>>>;

const cut: Row = { sending: 'closing', streaming: 'closing', recovering: 'closing', closing: 'closing', over: 'over' };
const silent: Row = { sending: 'recovering', streaming: 'recovering', recovering: 'recovering', closing: 'closing', over: 'over' };

/** From each phase to the next. What has no cell cannot happen. */
export const transitions: Readonly<Record<RunEvent, Row>> = {
  /** Something of an answer came. Nothing is read once listening is closed. */
  'answer begun': { sending: 'streaming', streaming: 'streaming', recovering: 'streaming' },
  /** An answer is over and its task is not: the connection broke, the agent ended the stream, or it does not stream. */
  'ended early': silent,
  /** The agent is asked for the task while no answer is open. */
  asking: silent,
  /** Everything that the client waits for has come, or the rest cannot be asked for. */
  settled: cut,
  /** Stop has its result, or the agent was silent for too long after it. */
  stopped: cut,
  /** The window closes, or the context is deleted. */
  detached: cut,
  /** Another run listens to the task. */
  superseded: cut,
  /** Another window follows the task. */
  disowned: cut,
  /** The history could not be written, or a defect. */
  failed: cut,
  /** No more is kept of the task. */
  full: { ...cut, over: undefined },
  /** All that came is in the history. */
  written: { closing: 'over' },
};

/** An event that is impossible in the run's phase: a defect. */
export class ImpossibleEvent extends Error {}

const cuts: ReadonlySet<RunEvent> = new Set<Cut>(['stopped', 'detached', 'superseded', 'disowned', 'failed', 'full']);
const isCut = (event: RunEvent): event is Cut => cuts.has(event);

/** The phase of one run, which everything that works for the run asks and moves. */
export class PhaseMachine {
  readonly #onImpossible: (error: ImpossibleEvent) => void;
  #phase: RunPhase;
  #cut: Cut | undefined;

  /** `onImpossible` is called for events that are not in the table; the phase stays. */
  constructor(begin: 'sending' | 'recovering', onImpossible: (error: ImpossibleEvent) => void) {
    this.#phase = begin;
    this.#onImpossible = onImpossible;
  }

  get current(): RunPhase {
    return this.#phase;
  }

  /** The first reason why listening stopped from here; undefined while it goes on, and where the response was complete. */
  get cut(): Cut | undefined {
    return this.#cut;
  }

  /** Responses are still applied. */
  get listens(): boolean {
    return this.#phase !== 'closing' && this.#phase !== 'over';
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  move(event: RunEvent): void {
    const next = transitions[event][this.#phase];
    if (next === undefined) return this.#onImpossible(new ImpossibleEvent(`A run in the phase "${this.#phase}" cannot become "${event}".`));
    this.#phase = next;
    if (isCut(event)) this.#cut ??= event;
  }
}
