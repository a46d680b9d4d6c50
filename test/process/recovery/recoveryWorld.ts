import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts, type AgentContextsOptions } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { fast } from '../../support/model/world.ts';
import type { MatrixAgent } from '../matrix/matrixAgent.ts';
import { servers } from '../matrix/servers.ts';
import { FaultProxy } from './faultProxy.ts';

/** One generation over one binding, spoken with one server. */
export const rows = [
  { name: '1.0 JSONRPC', server: 'sdk1.0', binding: 'JSONRPC', generation: '1.0' },
  { name: '1.0 HTTP+JSON', server: 'sdk1.0', binding: 'HTTP+JSON', generation: '1.0' },
  { name: '0.3 JSONRPC', server: 'sdk0.3', binding: 'JSONRPC', generation: '0.3' },
  { name: '0.3 HTTP+JSON', server: 'sdk0.3', binding: 'HTTP+JSON', generation: '0.3' },
  { name: '0.3 JSONRPC by the SDK of 1.0', server: 'sdk1.0', binding: 'JSONRPC', generation: '0.3' },
  { name: '0.3 HTTP+JSON by the SDK of 1.0', server: 'sdk1.0', binding: 'HTTP+JSON', generation: '0.3' },
] as const;

export type Row = (typeof rows)[number];

/** What a window hears has come long before, unless the connection is dead: no test but those of silence waits for it. */
export const patient = {
  ...fast,
  linger: 2_000,
  lingerMessage: 2_000,
  attend: 10_000,
  silence: 60_000,
  keptAlive: 600_000,
  giveUp: 20_000,
  stop: 2_000,
  naming: 2_000,
};

/** One window on the history. */
export interface RecoveryWindow {
  readonly store: TaskStore;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly errors: readonly unknown[];
  close(): void;
}

/** The servers behind proxies that spoil streams, and a history that windows share. */
export class RecoveryWorld {
  /** Of the histories. */
  readonly folder: string;
  readonly #http = new Http({ loadObserver });
  readonly #agents: ReadonlyMap<string, MatrixAgent>;
  readonly #proxies: ReadonlyMap<string, FaultProxy>;
  readonly #windows: RecoveryWindow[] = [];

  private constructor(agents: ReadonlyMap<string, MatrixAgent>, proxies: ReadonlyMap<string, FaultProxy>) {
    this.folder = mkdtempSync(join(tmpdir(), 'a2a-recovery-'));
    this.#agents = agents;
    this.#proxies = proxies;
  }

  static async start(): Promise<RecoveryWorld> {
    const agents = new Map<string, MatrixAgent>();
    const proxies = new Map<string, FaultProxy>();
    for (const { server } of rows) {
      if (agents.has(server)) continue;
      const agent = await servers[server].start();
      agents.set(server, agent);
      proxies.set(server, await FaultProxy.open(agent.url));
    }
    return new RecoveryWorld(agents, proxies);
  }

  proxy(row: Row): FaultProxy {
    return this.#proxies.get(row.server)!;
  }

  /** Lets a story go on that waits. */
  openGate(row: Row, name: string): void {
    this.#agents.get(row.server)!.gates.open(name);
  }

  /** The agents as the setting has them: one for each row. */
  get settings(): Parameters<Agents['configure']>[0] {
    return Object.fromEntries(
      rows.map(row => [
        row.name,
        {
          url: this.proxy(row).url,
          interface: { protocolBinding: row.binding, protocolVersion: row.generation },
        },
      ]),
    );
  }

  open(options: Partial<AgentContextsOptions> = {}, path = join(this.folder, 'history.db')): RecoveryWindow {
    const store = openStore(path);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => {
      errors.push(error);
    };
    const agents = new Agents({ http: this.#http, onError });
    agents.configure(this.settings);
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), timing: patient, onError, ...options });
    let open = true;
    const window: RecoveryWindow = {
      store,
      agents,
      contexts,
      errors,
      close: () => {
        if (!open) return;
        open = false;
        contexts.dispose();
        agents.dispose();
        store.close();
      },
    };
    this.#windows.push(window);
    return window;
  }

  async close(): Promise<void> {
    for (const window of this.#windows) window.close();
    await this.#http.close();
    for (const proxy of this.#proxies.values()) await proxy.close();
    for (const agent of this.#agents.values()) await agent.stop();
    rmSync(this.folder, { recursive: true, maxRetries: 10 });
  }
}
