import { connect, type Socket } from 'node:net';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { codeOf } from '../../client/network/errorCode.ts';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import type { Agent } from './agent.ts';
import type { Disposable } from '../emitter.ts';

type WatchedAgent = Pick<Agent, 'name' | 'url' | 'reachability' | 'check' | 'look' | 'expectRestart'>;

interface ReachabilityWatchOptions {
  readonly agents: { readonly all: readonly WatchedAgent[] };
  /** The agent is visible in a view. */
  readonly inSight: (agent: WatchedAgent) => boolean;
  /** How often it is looked, in milliseconds. */
  readonly every?: number;
}

/** An agent that listens and still has no card may be about to start: it is asked so often, each time after twice as many looks. */
const maxTries = 5;
/** How often an agent is looked at whose restarts begin runs, in milliseconds: one that is away for half a second is noticed. */
export const restartLookMs = 300;
/** Longest wait for a port of this machine, in milliseconds. */
const portTimeoutMs = 1_000;

interface Look {
  /** Times it was asked in vain since its port was seen closed. */
  tries: number;
  /** Looks that are left out before it is asked again. */
  skip: number;
}

/**
 * Looks after agents on this machine that somebody looks at. The port of one that is reachable is tried, so that one that is killed is seen as
 * such, and it is asked for its card now and then. One that could not be reached turns reachable by itself when it is started: its port is tried, and only where
 * something listens there it is asked for its card, so that nothing shows and nothing is written down while it is away.
 */
export class ReachabilityWatch implements Disposable {
  readonly #options: ReachabilityWatchOptions;
  readonly #looks = new WeakMap<object, Look>();
  /** The last connection to each agent that was reachable. */
  readonly #connections = new WeakMap<object, Socket>();
  #timer: NodeJS.Timeout;
  #disposed = false;

  constructor(options: ReachabilityWatchOptions) {
    this.#options = options;
    this.#timer = this.#later();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#tick(), this.#options.every ?? 3_000).unref();
  }

  async #tick(): Promise<void> {
    const { agents, inSight } = this.#options;
    await Promise.all(agents.all.filter(inSight).map(agent => this.#look(agent)));
    if (!this.#disposed) this.#timer = this.#later();
  }

  async #look(agent: WatchedAgent): Promise<void> {
    const port = portOf(agent.url);
    if (port === undefined) return;
    if (agent.reachability === 'reachable') {
      if (!(await this.#isRefused(agent, port))) return agent.look();
      // It may be back before it answers that it is gone.
      agent.expectRestart();
      this.#looks.delete(agent);
      return agent.check();
    }
    if (agent.reachability !== 'unreachable') return;
    const look = this.#looks.get(agent) ?? { tries: 0, skip: 0 };
    this.#looks.set(agent, look);
    if (!(await listens(port))) {
      look.tries = look.skip = 0;
      return;
    }
    if (look.tries >= maxTries || look.skip-- > 0 || this.#disposed) return;
    look.tries++;
    look.skip = 2 ** look.tries - 1;
    await agent.check();
  }

  /** An agent that is busy, or held by a debugger, has one connection to accept at most: the next is made when it has closed the last. */
  async #isRefused(agent: WatchedAgent, port: Port): Promise<boolean> {
    if (this.#connections.get(agent)?.destroyed === false) return false;
    const socket = connect({ ...port, timeout: portTimeoutMs }).unref();
    this.#connections.set(agent, socket);
    return new Promise(resolve => {
      socket
        .once('connect', () => {
          socket.setTimeout(0).resume().end();
          resolve(false);
        })
        .once('timeout', () => socket.destroy())
        .once('close', () => resolve(false))
        // Later ones are those of a process that is gone: the next look finds that out.
        .on('error', error => resolve(codeOf(error) === 'ECONNREFUSED'));
    });
  }
}

interface Port {
  readonly host: string;
  readonly port: number;
}

/** Where an agent on this machine listens; undefined for any other. */
export function portOf(address: string): Port | undefined {
  try {
    const { hostname, port, protocol } = parseAddress(address);
    if (!isLoopback(hostname)) return undefined;
    return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
  } catch {
    // Text that is no address has a problem of its own where it is shown.
    return undefined;
  }
}

export function listens({ host, port }: Port): Promise<boolean> {
  const socket = connect({ host, port, timeout: portTimeoutMs });
  return new Promise(resolve => {
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
