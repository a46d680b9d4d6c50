import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatState, Reference, Referral, Requests, ShownVersion } from '../messages.ts';
import { sameReference, withReference } from '../references.ts';
import { placeOf, type Target, targetLine, type TaskPlace } from '../target.ts';
import type { Transcript } from '../transcript.ts';
import { questionOf } from './question.ts';

export interface CompositionNeeds {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly transcript: Transcript;
  /** Asks the host; false where it answered with an error, which is then on show. */
  readonly ask: <Name extends keyof Requests>(name: Name, params: Requests[Name]['params']) => Promise<boolean>;
  /** What is kept for a page after this one has changed. */
  readonly keep: () => void;
  /** Something is about to be sent. */
  readonly onSend: () => void;
}

/** The next message: what it says, where it goes, what it is about. */
export class Composition {
  readonly draft = signal('');
  readonly chosenTarget = signal<Target | undefined>(undefined);
  /** What the next message refers to. */
  readonly references = signal<readonly Reference[]>([]);
  readonly sending = signal(false);
  /** A message waits for the person to say what becomes of the extensions that the agent requires and that are off. */
  readonly extensionsAsked = signal(false);
  /** Counts wishes for the keyboard focus in the composer. */
  readonly focusWanted = signal(0);
  readonly target = computed(() => {
    const state = this.#needs.state.value;
    return state === undefined ? undefined : targetLine(state, this.chosenTarget.value, questionOf(state, this.#needs.transcript));
  });
  readonly #needs: CompositionNeeds;
  /** The extensions that the person sends without. */
  #sentWithout = '';

  constructor(needs: CompositionNeeds, { draft, references }: { readonly draft: string; readonly references: readonly Reference[] }) {
    this.#needs = needs;
    this.draft.value = draft;
    this.references.value = references;
  }

  /** Sends the draft where the target line says. What was typed stays until the host has taken it. */
  async send(): Promise<void> {
    const text = this.draft.peek();
    const line = this.target.peek();
    if (text.trim() === '' || line === undefined || this.sending.peek()) return;
    if (this.#missing() !== this.#sentWithout && this.#missing() !== '') {
      this.extensionsAsked.value = true;
      return;
    }
    this.extensionsAsked.value = false;
    // The task on show, not whichever waits when the message arrives: another may have asked in the meantime.
    const { target, place } = line;
    const references = this.references.peek();
    const taken = await this.whileSending(() => this.#needs.ask('send', {
      text, ...(typeof target === 'object' && { taskId: target.taskId }), ...(place === 'over' && { anyway: true }), ...(target === 'new-context' && { newContext: true }),
      ...(references.length > 0 && { references }),
    }));
    batch(() => {
      if (!taken) return;
      if (this.references.peek() === references) this.references.value = [];
      if (this.draft.peek() === text) this.write('');
      this.chosenTarget.value = undefined;
    });
    this.#needs.keep();
  }

  /** Sends something, unless something is being sent: then false. */
  async whileSending(send: () => Promise<boolean>): Promise<boolean> {
    if (this.sending.peek()) return false;
    this.sending.value = true;
    this.#needs.onSend();
    const taken = await send();
    this.sending.value = false;
    return taken;
  }

  /** Sends what waits, once the required extensions are on, or `anyway`; it is not asked again for the same ones then. */
  async sendWithExtensions(anyway: boolean): Promise<void> {
    if (!anyway && !await this.#needs.ask('turnOnExtensions', null)) return;
    this.#sentWithout = this.#missing();
    await this.send();
  }

  #missing(): string {
    return JSON.stringify(this.#needs.state.peek()?.extensions.missing ?? []).replace('[]', '');
  }

  /** Where the next message goes, until it is sent. */
  choose(target: Target): void {
    this.chosenTarget.value = target;
    this.focusWanted.value++;
  }

  /** The next message refers to these, too. */
  refer(referrals: readonly Referral[]): void {
    // A task that is over never changes: another version of what it made is a task of its own.
    if (referrals.some(({ refine }) => refine === true)) this.chosenTarget.value = 'new-task';
    this.references.value = referrals.map(({ taskId, artifactId }) => ({ taskId, ...(artifactId !== undefined && { artifactId }) })).reduce(withReference, this.references.peek());
    this.focusWanted.value++;
    this.#needs.keep();
  }

  unrefer(reference: Reference): void {
    this.references.value = this.references.peek().filter(each => !sameReference(each, reference));
    this.focusWanted.value++;
    this.#needs.keep();
  }

  /** The next message asks for another version of this one. */
  refine({ taskId, artifactId }: ShownVersion): void {
    this.refer([{ taskId, artifactId, refine: true }]);
  }

  /** Puts a prompt into the composer for the person to read, change and send. */
  prefill(text: string): void {
    this.write(text);
    this.focusWanted.value++;
  }

  write(draft: string): void {
    this.draft.value = draft;
    this.#needs.keep();
  }

  /** Takes notice of a state that is about to be on show: a choice made for the one before may count no longer. */
  hear(next: ChatState): void {
    if (this.#choiceIsStale(next)) this.chosenTarget.value = undefined;
  }

  /** A task was chosen for what it did, or it was chosen against another one: where that changes the choice is no longer the person's. */
  #choiceIsStale(next: ChatState): boolean {
    const chosen = this.chosenTarget.peek();
    const before = this.#needs.state.peek();
    if (before === undefined || chosen === undefined) return false;
    if (typeof chosen === 'object') {
      const placeIn = ({ tasks }: ChatState): TaskPlace | undefined => tasks.filter(({ taskId }) => taskId === chosen.taskId).map(({ state }) => placeOf(state))[0];
      return placeIn(before) !== placeIn(next);
    }
    return next.waitingTaskId !== before.waitingTaskId && this.references.peek().length === 0;
  }
}
