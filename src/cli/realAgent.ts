import type { AgentClient } from '../client/agentClient.ts';
import { inBoth } from '../client/wireLog/wireLog.ts';
import { MemoryContext } from '../model/memory/memoryContext.ts';
import { followRun } from '../model/requests/requestFollowing.ts';
import { RequestLimit } from '../model/requests/requestLimit.ts';
import { runTiming } from '../model/run/runTiming.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Asked } from '../recording/through.ts';
import { connect, type Terminal } from './terminal/terminal.ts';
import { terminalTiming, withEvents } from './terminal/terminalContext.ts';

/** Longest task of which everything is kept, in bytes. */
const maxTaskBytes = 64 * 2 ** 20;

/** One conversation with the real agent, and where the events of its message go. */
interface Behind {
  readonly context: MemoryContext;
  onEvent: (event: StreamResponse) => void;
}

/** The real agent of `a2a serve --fill`. It is connected to with the first message that is in no recording. */
export class RealAgent {
  /** The number of the played request that an exchange goes on from, by its id. */
  readonly after = new Map<string, number>();
  readonly #terminal: Terminal;
  readonly #url: string;
  readonly #conversations = new WeakMap<object, Behind>();
  #client: Promise<AgentClient> | undefined;
  #hasSaid = false;

  constructor(terminal: Terminal, url: string) {
    this.#terminal = terminal;
    this.#url = url;
  }

  /** Sends a message and follows its task: the events as they come. Throws the `Problem` of the run after them. */
  answer(asked: Asked): ReadableStream<StreamResponse> {
    return new ReadableStream({
      start: events => {
        void this.#follow(asked, event => events.enqueue(event)).then(
          () => events.close(),
          (error: unknown) => events.error(error),
        );
      },
    });
  }

  async #follow({ message, conversation, taskId, isStreamed, signal, after }: Asked, onEvent: Behind['onEvent']): Promise<void> {
    const { output, signal: interrupt } = this.#terminal;
    // A failure is that of this message alone: the next one tries again.
    const client = await (this.#client ??= connect(this.#terminal, this.#url)).catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    if (after !== undefined && !this.#hasSaid) {
      this.#hasSaid = true;
      output.printError('The agent does not know the messages that were played: what goes through to it begins a new context there.');
    }
    const behind = this.#conversations.get(conversation) ?? this.#begun(client);
    this.#conversations.set(conversation, behind);
    behind.onEvent = onEvent;
    const { context } = behind;
    const { parts, ...rest } = message;
    const { contextId: _, taskId: __, ...own } = rest;
    const run = context.send({
      parts,
      message: own,
      target: taskId === undefined ? 'new-task' : { taskId },
      streaming: isStreamed && client.card.capabilities.streaming === true,
      unchecked: true,
    });
    // Canceled here, it is canceled there; the end of the command cancels nothing.
    const stop = (): void => (interrupt.aborted ? run.detach() : void run.stop());
    signal.addEventListener('abort', stop, { once: true });
    const { problem, exchangeIds } = await followRun(run, { context, limit: new RequestLimit(undefined), onDidChange() {} });
    const [first] = exchangeIds;
    if (after !== undefined && first !== undefined) this.after.set(first, after);
    if (problem !== undefined) throw problem;
  }

  #begun(client: AgentClient): Behind {
    const { log, recordings, agent } = this.#terminal;
    const behind: Behind = {
      onEvent() {},
      context: new MemoryContext({
        key: client.card.name,
        agentName: client.card.name,
        contextId: undefined,
        timing: { ...runTiming, ...terminalTiming },
        maxTaskBytes: () => maxTaskBytes,
        agent: () => {
          const { onEvent } = behind;
          return {
            card: client.card,
            answerTimeoutMs: agent?.settings.answerTimeoutMs,
            prepare: async () => {},
            connect: async () => withEvents(client, onEvent),
          };
        },
        log: recordings === undefined ? log : inBoth(log, recordings.ofCommand),
        holderOf: () => behind.context,
        onTask() {},
        onContextId() {},
        onError: error => {
          throw error;
        },
      }),
    };
    return behind;
  }
}
