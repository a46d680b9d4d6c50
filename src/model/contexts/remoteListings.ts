import { ExchangeWatch } from '../../client/exchangeWatch.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { Problem } from '../../protocol/problem.ts';
import { type PagingFault, repetition, TaskPaging } from '../../protocol/message/taskPaging.ts';
import type { Agent } from '../agents/agent.ts';
import type { AgentContexts } from './agentContexts.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { saysUnsupported } from '../unsupported.ts';

/** The state of the list of an agent's tasks. */
export interface Listing {
  /** `unsupported`: the version in use has no ListTasks, or the agent does not have it. */
  readonly state: 'listing' | 'listed' | 'failed' | 'unsupported';
  /** When the agent was asked, in milliseconds since the epoch. */
  readonly at: number;
  /** Tasks that the agent has listed so far, each counted once. */
  readonly tasks: number;
  /** The agent has more pages: `more` asks for them. */
  readonly more: boolean;
  /** How many tasks the agent says there are, where its last page says another number than were listed. */
  readonly reported?: number;
  /** Why the list ends although the agent names one more page. */
  readonly fault?: PagingFault;
  /** Why the list is missing or incomplete. */
  readonly problem?: Problem;
}

interface Asked extends Listing {
  readonly agent: Agent;
  /** The agent was asked with the credentials of a sign-in. */
  readonly isSignedIn: boolean;
  /** Token of the next page. */
  readonly token?: string;
  readonly paging: TaskPaging;
}

export interface RemoteListingsOptions {
  readonly contexts: Pick<AgentContexts, 'mergeRemote' | 'patiently'>;
  readonly agentOf: (name: string) => Agent | undefined;
  /** See `Agents.onDidRestart`. */
  readonly onDidRestart?: Event<Agent>;
  readonly log?: WireLog;
  readonly onError: (error: unknown) => void;
}

const pageSize = 100;
/** How many pages are asked for at a time. */
const pagesAtOnce = 5;
/** After this time a list is asked for again when it is shown, in milliseconds. */
const lifetime = 60_000;

/** The tasks that agents list (ListTasks, A2A 1.0 §3.1.4), applied to the history in the background. Problems are kept to be shown. */
export class RemoteListings implements Disposable {
  readonly #options: RemoteListingsOptions;
  readonly #asked = new Map<string, Asked>();
  /** Lists that are under way. */
  readonly #running = new Map<Agent, Promise<void>>();
  readonly #changed: Emitter<string>;
  readonly #cancel = new AbortController();
  readonly #listener: Disposable | undefined;

  constructor(options: RemoteListingsOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
    // A new process seldom has the tasks of the one before.
    this.#listener = options.onDidRestart?.(({ name }) => {
      const state = this.of(name)?.state;
      if (state !== undefined && state !== 'unsupported') void this.refresh(name, { anew: true });
    });
  }

  /** The listing of the agent of this name changed. */
  get onDidChange(): Event<string> {
    return this.#changed.event;
  }

  /** Undefined until the agent was asked for the first time, and after its settings changed. */
  of(name: string): Listing | undefined {
    const asked = this.#asked.get(name);
    return asked !== undefined && asked.agent === this.#options.agentOf(name) ? asked : undefined;
  }

  /**
   * Asks a reachable agent for its first pages, unless they are there; with `again` also if they are older than a minute. Those that it
   * refused are asked for anew after a sign-in. Returns at once.
   */
  want(name: string, { again = false }: { readonly again?: boolean } = {}): void {
    const agent = this.#options.agentOf(name);
    if (agent?.reachability !== 'reachable') return;
    const asked = this.#asked.get(name);
    const isAnswered = asked?.state !== 'failed' || asked.isSignedIn === isSignedIn(agent);
    if (
      asked?.agent === agent &&
      isAnswered &&
      (asked.state === 'listing' || asked.state === 'unsupported' || !again || Date.now() - asked.at < lifetime)
    )
      return;
    void this.refresh(name);
  }

  /**
   * Asks for the first pages again. Never rejects: the result is in `of`. `anew`: the credentials or the process are others now, so that a list
   * under way, which may have been asked for with those of before, is waited for.
   */
  async refresh(name: string, { anew = false }: { readonly anew?: boolean } = {}): Promise<void> {
    const agent = this.#options.agentOf(name);
    if (agent === undefined) return;
    if (anew) await this.#running.get(agent);
    if (this.#isListing(agent)) return;
    await this.#list(agent, {
      agent,
      isSignedIn: isSignedIn(agent),
      at: Date.now(),
      state: 'listing',
      tasks: 0,
      more: false,
      paging: new TaskPaging(),
    });
  }

  /** Asks for the pages after those that are there. Never rejects. */
  async more(name: string): Promise<void> {
    const asked = this.#asked.get(name);
    if (asked?.token === undefined || asked.agent !== this.#options.agentOf(name) || this.#isListing(asked.agent)) return;
    await this.#list(asked.agent, { ...asked, state: 'listing' });
  }

  dispose(): void {
    this.#listener?.dispose();
    this.#cancel.abort();
    this.#changed.dispose();
  }

  #isListing(agent: Agent): boolean {
    const asked = this.#asked.get(agent.name);
    return asked?.agent === agent && asked.state === 'listing';
  }

  #list(agent: Agent, from: Asked): Promise<void> {
    const done = this.#ask(agent, from).finally(() => this.#running.delete(agent));
    this.#running.set(agent, done);
    return done;
  }

  async #ask(agent: Agent, from: Asked): Promise<void> {
    const { paging } = from;
    let { token, fault } = from;
    const tell = (state: Listing['state'], problem?: Problem): void => {
      if (this.#cancel.signal.aborted) return;
      this.#asked.set(agent.name, {
        agent,
        isSignedIn: from.isSignedIn,
        at: from.at,
        state,
        tasks: paging.count,
        token,
        paging,
        more: token !== undefined,
        ...(fault && { fault }),
        ...(token === undefined && paging.reported !== undefined && paging.reported !== paging.count && { reported: paging.reported }),
        ...(problem && { problem }),
      });
      this.#changed.fire(agent.name);
    };
    tell('listing');
    try {
      const client = await agent.connect();
      for (let page = 0; page < pagesAtOnce; page++) {
        const askedAt = Date.now();
        const watch = new ExchangeWatch(this.#options.log, [], undefined);
        const { result, exchangeId } = await client.call(
          'ListTasks',
          { pageSize, ...(token !== undefined && { pageToken: token }) },
          {
            log: watch.log,
            signal: this.#cancel.signal,
          },
        );
        if (this.#cancel.signal.aborted) return;
        const { contexts } = this.#options;
        await contexts.patiently(() => contexts.mergeRemote(agent.name, result.tasks, { askedAt, artifacts: false, exchangeId }));
        fault = paging.cause(result);
        for (const finding of [repetition(fault), paging.sizeChange(result)]) if (finding !== undefined) watch.note(finding);
        token = paging.next(result);
        if (token === undefined) break;
      }
      tell('listed');
    } catch (error) {
      if (this.#cancel.signal.aborted) return;
      if (!(error instanceof Problem)) this.#options.onError(error);
      tell(saysUnsupported(error) ? 'unsupported' : 'failed', error instanceof Problem ? error : undefined);
    }
  }
}

const isSignedIn = ({ signIn }: Agent): boolean => signIn.kind === 'signedIn';
