import { exactJson } from '../../protocol/json/exactJson.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import type { ArtifactEntry, Entry, EntryUpdate } from '../../protocol/message/transcript.ts';
import { StreamReducer } from '../fold/streamReducer.ts';
import { TaskReducer } from '../fold/taskReducer.ts';
import { versionFor } from '../../protocol/versions/index.ts';
import { readEvents } from './wireLines.ts';

/**
 * A finished stream, replayed event by event by the same merging rules as when it came. It begins without a task: the state before the
 * stream is not part of it.
 */
export class Replay {
  readonly exchangeId: string;
  readonly #exchange: Exchange;
  readonly #frames: readonly Frame[];
  readonly #known: ReadonlySet<string>;
  readonly #fold = new StreamReducer(id => {
    const known = this.#tasks.get(id) ?? new TaskReducer(id);
    // A stream that was joined in the middle builds on what is not known here.
    if (!this.#tasks.has(id)) known.joinMidway();
    this.#tasks.set(id, known);
    return known;
  });
  readonly #tasks = new Map<string, TaskReducer>();
  readonly #artifacts = new Map<string, { seq: number; chunks: number }>();
  #seq: number;
  #position = 0;

  /**
   * @param firstSeq of the entries that it makes
   * @param known ids of messages that were there before: a task repeats them in its history
   */
  constructor(
    { exchange, frames }: { readonly exchange: Exchange; readonly frames: readonly Frame[] },
    firstSeq: number,
    known: ReadonlySet<string> = new Set(),
  ) {
    this.#known = known;
    this.exchangeId = exchange.id;
    this.#exchange = exchange;
    this.#frames = frames;
    this.#seq = firstSeq;
  }

  /** Number of events replayed so far. */
  get position(): number {
    return this.#position;
  }

  /** Tells events up to this one, exclusively; going back takes a new replay. */
  goTo(to: number): EntryUpdate[] {
    const version = versionFor(this.#exchange);
    const updates: EntryUpdate[] = [];
    for (; this.#position < Math.min(to, this.#frames.length); this.#position++) {
      const frame = this.#frames[this.#position]!;
      const events = readEvents(resultIn(frame.data), version);
      for (const change of this.#fold.apply(events, this.#position === 0)) updates.push(...this.#updates(change, frame.at));
    }
    return updates;
  }

  #updates(change: TaskChange, at: number): EntryUpdate[] {
    const facts = { at, exchangeId: this.exchangeId, ...('taskId' in change && { taskId: change.taskId }) };
    const put = (entry: Entry): EntryUpdate[] => [{ type: 'put', entry }];
    switch (change.kind) {
      case 'status':
        return put({
          ...facts,
          seq: this.#seq++,
          kind: 'status',
          state: change.status.state,
          ...(change.status.message && { message: change.status.message }),
        });
      case 'message':
        return this.#known.has(change.message.messageId)
          ? []
          : put({ ...facts, seq: this.#seq++, kind: 'message', message: change.message });
      case 'artifact': {
        const key = `${change.taskId} ${change.artifact.artifactId}`;
        const known = this.#artifacts.get(key) ?? { seq: this.#seq++, chunks: 0 };
        this.#artifacts.set(key, known);
        known.chunks = (change.revises === true ? 0 : known.chunks) + (change.inTask === undefined ? 1 : 0);
        const entry: ArtifactEntry = {
          ...facts,
          seq: known.seq,
          kind: 'artifact',
          artifact: change.artifact,
          complete: change.complete,
          chunks: known.chunks,
        };
        return put(entry);
      }
      case 'append': {
        const known = this.#artifacts.get(`${change.taskId} ${change.artifactId}`);
        if (known === undefined) return [];
        if (change.inTask !== undefined) {
          const artifact = this.#tasks.get(change.taskId)?.task.artifacts?.find(({ artifactId }) => artifactId === change.artifactId);
          if (artifact !== undefined)
            return put({ ...facts, seq: known.seq, kind: 'artifact', artifact, complete: change.complete, chunks: known.chunks });
        }
        if (change.parts.length > 0) known.chunks++;
        return [{ type: 'append', seq: known.seq, parts: change.parts, chunks: known.chunks, ...(change.complete && { complete: true }) }];
      }
      default:
        return [];
    }
  }
}

/** The result inside the envelope of JSON-RPC, or the JSON itself; undefined where it is none. */
function resultIn(data: string): unknown {
  try {
    const told = exactJson(data);
    return isObject(told) && 'result' in told ? told['result'] : told;
  } catch {
    return undefined; // Such an event changed nothing when it came, either.
  }
}
