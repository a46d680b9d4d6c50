import { maxFindings, type Finding } from '../../protocol/finding.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { textOf, type Part } from '../../protocol/message/part.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import type { ObservedEvent } from '../../request/expect/observed.ts';
import { now } from '../now.ts';

/** Most states of one answer that are kept in order. */
const maxStates = 1_000;

/** Most events of one answer that are kept, and the longest text of each in UTF-16 code units; and of all together. */
const events = { most: 10_000, text: 2_000, all: 1_000_000 };

const keyOf = ({ rule, pointer, message }: Finding): string => JSON.stringify([rule, pointer, message]);

/** Observations while a response came, besides its final result. */
export class RunObservations {
  readonly #states: TaskState[] = [];
  readonly #findings: Finding[] = [];
  readonly #found = new Set<string>();
  readonly #events: ObservedEvent[] = [];
  readonly #names = new Map<string, string>();
  #textLength = 0;

  /** The states of the task in order; a state that is repeated counts once. */
  get states(): readonly TaskState[] {
    return [...this.#states];
  }

  /**
   * Events in order, each with its time; only the first are kept, since a hostile response could have any number. The list itself grows,
   * because it is read with every event.
   */
  get events(): readonly ObservedEvent[] {
    return this.#events;
  }

  /** Findings, each once. A hostile answer could cause any number, so only the first hundred are kept. */
  get findings(): readonly Finding[] {
    return [...this.#findings];
  }

  /** The same with those of an exchange that ended with a problem, of which some are here already. */
  findingsWith(more: readonly Finding[] = []): readonly Finding[] {
    return [...this.#findings, ...more.filter(finding => !this.#found.has(keyOf(finding)))].slice(0, maxFindings);
  }

  take(changes: readonly TaskChange[], findings: readonly Finding[] = []): void {
    for (const change of changes) {
      if (change.kind === 'finding') this.#find(change.finding);
      this.#note(change);
      if (change.kind !== 'status') continue;
      const { state } = change.status;
      if (this.#states.at(-1) !== state && this.#states.length < maxStates) this.#states.push(state);
    }
    findings.forEach(finding => this.#find(finding));
  }

  #note(change: TaskChange): void {
    if (this.#events.length >= events.most) return;
    const at = ('at' in change ? change.at : undefined) ?? now();
    if (change.kind === 'status')
      this.#events.push({ at, type: 'status', state: change.status.state, ...this.#text(change.status.message?.parts) });
    else if (change.kind === 'message' && change.message.role === 'ROLE_AGENT')
      this.#events.push({ at, type: 'message', ...this.#text(change.message.parts) });
    else if (change.kind === 'artifact') {
      const { artifactId, name = artifactId, parts } = change.artifact;
      this.#names.set(artifactId, name);
      this.#events.push({ at, type: 'artifact', artifact: name, ...(change.complete && { last: true }), ...this.#text(parts) });
    } else if (change.kind === 'append') {
      const artifact = this.#names.get(change.artifactId) ?? change.artifactId;
      this.#events.push({
        at,
        type: 'artifact',
        artifact,
        append: true,
        ...(change.complete && { last: true }),
        ...this.#text(change.parts),
      });
    }
  }

  #text(parts: readonly Part[] = []): Pick<ObservedEvent, 'text'> {
    const text = beginningOf(textOf(parts), Math.min(events.text, events.all - this.#textLength));
    this.#textLength += text.length;
    return text === '' ? {} : { text };
  }

  #find(finding: Finding): void {
    if (this.#findings.length >= maxFindings) return;
    const key = keyOf(finding);
    if (this.#found.has(key)) return;
    this.#found.add(key);
    this.#findings.push(finding);
  }
}
