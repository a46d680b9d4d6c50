import type { Message } from '../protocol/message/message.ts';
import type { Problem, LocalizedMessage } from '../protocol/problem.ts';
import { isTerminal, type ShownState } from '../protocol/message/taskState.ts';
import type { AssistantCall, Delivery } from '../protocol/message/transcript.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import type { Rows, Written } from './rows/changeWriter.ts';
import type { ContextScope } from './rows/contextScope.ts';
import type { Database } from './database/database.ts';
import { titleOf } from './rows/title.ts';

/** The facts of an entry that we write ourselves. */
interface NoteOptions {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly taskId?: string;
  readonly exchangeId?: string;
}

/** Entries that no agent sent: messages from here, problems, and gaps. Contexts are given by their key. */
export class OwnEntries {
  readonly #database: Database;
  readonly #scope: ContextScope;
  readonly #rows: Rows;

  constructor(database: Database, scope: ContextScope, rows: Rows) {
    this.#database = database;
    this.#scope = scope;
    this.#rows = rows;
  }

  /** Writes a message of the person before it is sent; it is on the disk when this returns. */
  putMessage(
    context: string,
    message: Message,
    options: {
      readonly at: number;
      readonly owner: string;
      readonly taskId?: string | undefined;
      readonly assistant?: AssistantCall | undefined;
    },
  ): Written & { readonly seq: number } {
    return this.#scope.write(
      context,
      id => {
        this.#rows.owners.beat(options.owner, options.at);
        const rev = this.#rows.contexts.touch(id, options.at);
        this.#rows.contexts.setTitle(id, titleOf(message));
        // A conversation that only the agent knew, and that is continued from here.
        if (this.#rows.contexts.byKey(context)?.madeBy === 'agent') this.#rows.contexts.setMaker(id, 'person');
        const task = options.taskId === undefined ? undefined : this.#rows.tasks.present(id, options.taskId);
        const { owner, assistant } = options;
        const own = withoutUndefined({ messageId: message.messageId, delivery: 'sending' as const, owner, assistant });
        const seq = this.#rows.entries.insert('message', { context: id, task, at: options.at, exchangeId: undefined, rev }, message, own);
        return { seq, updates: this.#stored(seq), rev };
      },
      true,
    );
  }

  setDelivery(
    seq: number,
    delivery: Delivery,
    options: { readonly at: number; readonly exchangeId?: string; readonly outcome?: LocalizedMessage },
  ): Written {
    return this.#database.write(() => {
      const context = this.#rows.entries.contextOf(seq);
      const id = context === undefined ? undefined : this.#rows.contexts.idOf(context);
      if (id === undefined) return { updates: [], rev: 0 };
      const rev = this.#rows.contexts.touch(id, options.at);
      this.#rows.entries.setDelivery(seq, delivery, rev, options.outcome);
      if (options.exchangeId !== undefined) this.#rows.entries.setExchange(seq, options.exchangeId);
      return { updates: this.#stored(seq), rev };
    });
  }

  putProblem(context: string, { code, sentence: what, address, nextStep, details }: Problem, options: NoteOptions): Written {
    return this.#note(context, 'problem', withoutUndefined({ code, sentence: what, address, nextStep, details }), options);
  }

  putGap(context: string, reason: LocalizedMessage, options: NoteOptions): Written {
    return this.#note(context, 'gap', { reason }, options);
  }

  /**
   * The agent answered that it does not know the task. Writes nothing for a task that the history does not have, that is over or lost
   * already, or that another living process follows.
   * @param options.restartedAt when the agent was last found to be another process: an older task is gone with it
   */
  loseTask(
    context: string,
    taskId: string,
    options: { readonly at: number; readonly owner: string; readonly exchangeId?: string; readonly restartedAt?: number },
  ): Written | undefined {
    return this.#scope.write(context, id => {
      const row = this.#rows.tasks.row(id, taskId);
      if (row === undefined || row.deleted !== null || isTerminal(row.state)) return undefined;
      if (row.owner !== null && row.owner !== options.owner && this.#rows.owners.isAlive(row.owner, options.at)) return undefined;
      const rev = this.#rows.contexts.touch(id, options.at);
      this.#rows.tasks.lose(row.id, options.at);
      const state: ShownState = 'LOST';
      const seq = this.#rows.entries.insert(
        'status',
        { context: id, task: row.id, at: options.at, exchangeId: options.exchangeId, rev },
        { state, ...(row.created < (options.restartedAt ?? -Infinity) && { withRestart: true }) },
      );
      return { updates: this.#stored(seq), rev };
    });
  }

  /** The agent has sent the whole task. Undefined if no gap was open. */
  fillGaps(context: string, taskId: string, at: number): Written | undefined {
    return this.#scope.write(context, id => {
      const task = this.#rows.tasks.present(id, taskId);
      const gaps = task === undefined ? [] : this.#rows.entries.openGaps(task);
      if (gaps.length === 0) return undefined;
      const rev = this.#rows.contexts.touch(id, at);
      for (const { seq, body } of gaps) this.#rows.entries.setBody(seq, { ...body, filled: true }, rev);
      return { updates: gaps.flatMap(({ seq }) => this.#stored(seq)), rev };
    });
  }

  #note(context: string, kind: 'problem' | 'gap', body: object, options: NoteOptions): Written {
    return this.#scope.write(context, id => {
      const rev = this.#rows.contexts.touch(id, options.at);
      const task = options.taskId === undefined ? undefined : this.#rows.tasks.present(id, options.taskId);
      const seq = this.#rows.entries.insert(kind, { context: id, task, at: options.at, exchangeId: options.exchangeId, rev }, body);
      return { updates: this.#stored(seq), rev };
    });
  }

  #stored(seq: number): Written['updates'] {
    const entry = this.#rows.entries.bySeq(seq);
    return entry === undefined ? [] : [{ type: 'put', entry }];
  }
}
