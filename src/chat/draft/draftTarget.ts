import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatState, Referral, ShownVersion } from '../host/chatState.ts';
import type { Reference, Target } from '../host/draft.ts';
import { placeOf, targetLine, type TaskPlace } from '../host/target.ts';
import { questionOf } from '../transcript/question.ts';
import { finishedTasks, sameReference, withReference } from '../transcript/references.ts';
import type { Transcript } from '../transcript/transcript.ts';

interface DraftTargetNeeds {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly transcript: Transcript;
  /** The person chose something: the draft is to be kept. */
  readonly changed: () => void;
  /** Puts the keyboard focus into the text box. */
  readonly focusText: () => void;
}

/** The target of the next message, and the tasks and artifacts that it refers to. */
export class DraftTarget {
  /** The person's choice; undefined where the state decides. */
  readonly chosen = signal<Target | undefined>(undefined);
  /** References of the next message. */
  readonly references = signal<readonly Reference[]>([]);
  /** Finished tasks that a new one may go on from, newest first: offered until the person has chosen something. */
  readonly offered = computed(() => {
    const state = this.#needs.state.value;
    return state === undefined || this.references.value.length > 0 || this.line.value?.target !== 'new-task' ? [] : finishedTasks(state);
  });
  /** The target that counts, in words. */
  readonly line = computed(() => {
    const state = this.#needs.state.value;
    return state === undefined ? undefined : targetLine(state, this.chosen.value, questionOf(state, this.#needs.transcript));
  });
  readonly #needs: DraftTargetNeeds;

  constructor(needs: DraftTargetNeeds) {
    this.#needs = needs;
  }

  /** Sets the target of the next message, until it is sent. */
  choose(target: Target): void {
    this.chosen.value = target;
    this.#needs.focusText();
    this.#needs.changed();
  }

  /** The next message refers to these, too. */
  refer(referrals: readonly Referral[]): void {
    // A task that is over never changes: another version of what it made is a task of its own.
    if (referrals.some(({ refine }) => refine === true)) this.chosen.value = 'new-task';
    this.references.value = referrals
      .map(({ taskId, artifactId }) => ({ taskId, ...(artifactId !== undefined && { artifactId }) }))
      .reduce(withReference, this.references.peek());
    this.#needs.focusText();
    this.#needs.changed();
  }

  unrefer(reference: Reference): void {
    this.references.value = this.references.peek().filter(each => !sameReference(each, reference));
    this.#needs.focusText();
    this.#needs.changed();
  }

  /** The next message asks for another version of this one. */
  refine({ taskId, artifactId }: ShownVersion): void {
    this.refer([{ taskId, artifactId, refine: true }]);
  }

  /** Takes notice of a state that is about to be on show: a choice made for the one before may count no longer. */
  onState(next: ChatState): void {
    if (this.#choiceIsStale(next)) this.chosen.value = undefined;
  }

  /** A task was chosen for what it did, or it was chosen against another one: where that changes the choice is no longer the person's. */
  #choiceIsStale(next: ChatState): boolean {
    const chosen = this.chosen.peek();
    const before = this.#needs.state.peek();
    if (before === undefined || chosen === undefined) return false;
    if (typeof chosen === 'object') {
      const placeIn = ({ tasks }: ChatState): TaskPlace | undefined =>
        tasks.filter(({ taskId }) => taskId === chosen.taskId).map(({ state }) => placeOf(state))[0];
      return placeIn(before) !== placeIn(next);
    }
    return next.waitingTaskId !== before.waitingTaskId && this.references.peek().length === 0;
  }
}
