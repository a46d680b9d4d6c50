import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import { listens, portOf } from '../../model/agents/reachabilityWatch.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { freeName } from '../agents/addAgent.ts';
import { inARow, report, translate } from '../platform/report.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { AgentProcess, type ProgramEnd } from './agentProcess.ts';
import { waitForCard } from './cardWait.ts';
import type { DebuggedAgents } from '../agents/debuggedAgents.ts';
import type { AgentLaunch, Launch } from './launch.ts';

/** How long a port may stay taken after its program has ended, in milliseconds. */
const releaseMs = 5_000;
/** How long the other debugger may take to begin anew before its program counts as ended, in milliseconds. */
const againMs = 2_000;

export type WriteToConsole = (text: string, category?: 'console' | 'stdout' | 'stderr') => void;

export interface AgentSessionNeeds {
  readonly agents: Agents;
  readonly debugged: DebuggedAgents;
  readonly openChat: (agent: string) => Promise<unknown>;
}

/** A program, or another debug session, that runs an agent. */
interface Runner {
  readonly ended: Promise<ProgramEnd | undefined>;
  stop(): Promise<void>;
  kill(): void;
}

/** An agent of the session. */
interface RunningAgent {
  readonly launch: AgentLaunch;
  runner: Runner | undefined;
  /** Its name in the window, once its card was read. */
  name: string | undefined;
  /** It is in the list for the sake of this session. */
  isListed: boolean;
}

/** One debug session: starts the agents of a launch configuration, waits for their cards, and ends all that it has started. */
export class AgentSession {
  readonly #session: vscode.DebugSession;
  readonly #needs: AgentSessionNeeds;
  readonly #write: WriteToConsole;
  readonly #onEnd: () => void;
  #running: readonly RunningAgent[] = [];
  #stopped = new AbortController();

  /** @param onEnd called when nothing runs any more although nothing was stopped */
  constructor(session: vscode.DebugSession, needs: AgentSessionNeeds, write: WriteToConsole, onEnd: () => void) {
    this.#session = session;
    this.#needs = needs;
    this.#write = write;
    this.#onEnd = onEnd;
  }

  /** Resolves when all programs have been started; their cards come later. Rejects with a `Problem` where one cannot be. */
  async start({ agents, open }: Launch): Promise<void> {
    this.#stopped = new AbortController();
    this.#running = agents.map(launch => ({ launch, runner: undefined, name: undefined, isListed: false }));
    await this.#begin(open);
  }

  /** Ends all programs and starts them again; the agents stay in the list. */
  async restart(launch: Launch): Promise<void> {
    const before = this.#running;
    for (const { name } of before) if (name !== undefined) this.#needs.agents.get(name)?.expectRestart();
    await this.#end();
    this.#stopped = new AbortController();
    this.#running = launch.agents.map(each => {
      const known = before.find(({ launch: { url } }) => url === each.url);
      return { launch: each, runner: undefined, name: known?.name, isListed: known?.isListed === true };
    });
    this.#unlist(before.filter(({ launch: { url } }) => this.#running.every(each => each.launch.url !== url)));
    await this.#begin(launch.open);
  }

  /** Ends all that was started. */
  async stop(): Promise<void> {
    await this.#end();
    this.#unlist(this.#running);
    this.#running = [];
  }

  /** Ends the programs without waiting: the window closes. */
  kill(): void {
    this.#stopped.abort();
    for (const { runner } of this.#running) runner?.kill();
  }

  async #begin(open: boolean): Promise<void> {
    const { signal } = this.#stopped;
    for (const { launch } of this.#running) await this.#requireFree(launch);
    for (const agent of this.#running) {
      if (signal.aborted) return;
      const runner = await this.#run(agent.launch);
      // Stopped while it began: there was nothing to stop yet.
      if (signal.aborted) return runner.stop();
      agent.runner = runner;
      void this.#follow(agent, runner, open, signal).catch(report);
    }
  }

  async #end(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#running.flatMap(({ runner }) => (runner === undefined ? [] : [runner.stop()])));
  }

  #unlist(agents: readonly RunningAgent[]): void {
    for (const { name, isListed } of agents) if (isListed && name !== undefined) this.#needs.debugged.remove(name);
  }

  /** Another program's card would be taken for the agent's. Rejects with a `Problem` `port-taken`. */
  async #requireFree({ url, start }: AgentLaunch): Promise<void> {
    const place = portOf(url);
    if (place === undefined || ('attaches' in start && start.attaches)) return;
    for (const end = performance.now() + (this.#running.some(({ name }) => name !== undefined) ? releaseMs : 0); ; ) {
      if (!(await listens(place))) return;
      if (performance.now() > end) break;
      await sleep(100);
    }
    const other = await this.#needs.agents.onThisMachine(place.port, AbortSignal.timeout(releaseMs));
    throw new Problem(
      'port-taken',
      other === undefined
        ? sentence('Port {0} is taken by another program.', place.port)
        : sentence('Port {0} is taken by the agent "{1}".', place.port, other.name),
      { nextStep: sentence('Stop it, or let the agent listen on another port.') },
    );
  }

  async #run({ start }: AgentLaunch): Promise<Runner> {
    if ('configuration' in start) return OtherSession.start(this.#session, start.configuration);
    if (
      !(await stat(start.cwd).then(
        found => found.isDirectory(),
        () => false,
      ))
    )
      throw new Problem('bad-launch', sentence('There is no folder {0}, in which the agent is to run.', start.cwd));
    this.#write(`${start.command}\n`, 'console');
    return new AgentProcess(start, this.#write);
  }

  /** From the start of an agent to its end. */
  async #follow(agent: RunningAgent, runner: Runner, open: boolean, stopped: AbortSignal): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([stopped, over.signal]);
    const ready = this.#ready(agent, open, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    const end = await Promise.race([runner.ended, aborted(stopped)]);
    over.abort();
    await ready;
    if (stopped.aborted) return;
    agent.runner = undefined;
    this.#sayEnd(agent, end === 'aborted' ? undefined : end);
    this.#unlist([agent]);
    if (this.#running.every(each => each.runner === undefined)) this.#onEnd();
  }

  /** A program that ends before its card is there has failed. */
  #sayEnd({ name, launch: { url } }: RunningAgent, end: ProgramEnd | undefined): void {
    const status = end?.status;
    const what =
      status === undefined
        ? sentence('The debug session of the agent at {0} has ended.', url)
        : typeof status === 'number'
          ? sentence('The program of the agent at {0} has ended with status {1}.', url, status)
          : sentence('The program of the agent at {0} was ended: {1}.', url, status);
    const lastLine = end?.lastLine ?? '';
    const words = inARow(translate(what), lastLine === '' ? '' : vscode.l10n.t('Its last line: {0}', lastLine));
    this.#write(`${words}\n`, 'stderr');
    if (name !== undefined) return;
    const console = vscode.l10n.t('Debug Console');
    void vscode.window.showErrorMessage(escapeLinks(words), console).then(choice => {
      if (choice === console) void vscode.commands.executeCommand('workbench.debug.action.focusRepl');
    });
  }

  async #ready(agent: RunningAgent, open: boolean, signal: AbortSignal): Promise<void> {
    const { agents, debugged, openChat } = this.#needs;
    const { url } = agent.launch;
    this.#write(`${vscode.l10n.t('Waiting for the agent card at {0} …', url)}\n`);
    const resolved = await waitForCard(url, {
      agents,
      signal,
      say: (what, details = '') =>
        this.#write(`${[translate(what), ...details.split('\n').filter(Boolean)].map(line => `  ${line}\n`).join('')}`),
    });
    if (signal.aborted) return;
    const isNew = agent.name === undefined;
    if (isNew) {
      const known = agents.configuredAt(url) ?? agents.twinOf({ url });
      agent.isListed = known === undefined;
      agent.name = known?.name ?? freeName(resolved?.card.name ?? new URL(resolved?.agentUrl ?? url).host, agents);
      if (agent.isListed) debugged.add(agent.name, url);
    }
    const name = agent.name!;
    this.#write(`${vscode.l10n.t('The agent "{0}" is ready at {1}.', name, url)}\n`);
    await agents.get(name)?.check({ anew: true });
    if (isNew && open && !signal.aborted) await openChat(name);
  }
}

const aborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise(resolve => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

/** The debug session of another launch configuration, as a child of ours. Its debugger may end it and begin it anew. */
class OtherSession implements Runner {
  #session: vscode.DebugSession;
  readonly ended: Promise<undefined>;

  private constructor(parent: vscode.DebugSession, session: vscode.DebugSession) {
    this.#session = session;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let end: NodeJS.Timeout | undefined;
    const listeners = vscode.Disposable.from(
      vscode.debug.onDidTerminateDebugSession(({ id }) => {
        if (id !== this.#session.id) return;
        end = setTimeout(() => {
          listeners.dispose();
          resolve(undefined);
        }, againMs);
      }),
      vscode.debug.onDidStartDebugSession(next => {
        if (next.parentSession?.id !== parent.id || next.name !== this.#session.name) return;
        clearTimeout(end);
        this.#session = next;
      }),
    );
    this.ended = promise;
  }

  /** Rejects with a `Problem` `not-started`; VS Code has then shown why. */
  static async start(parent: vscode.DebugSession, name: string): Promise<OtherSession> {
    const { promise, resolve } = Promise.withResolvers<vscode.DebugSession>();
    const listener = vscode.debug.onDidStartDebugSession(session => {
      if (session.parentSession?.id === parent.id) resolve(session);
    });
    try {
      const isStarted = await vscode.debug.startDebugging(parent.workspaceFolder, name, {
        parentSession: parent,
        noDebug: (parent.configuration as { readonly noDebug?: boolean }).noDebug === true,
      });
      if (!isStarted) throw new Problem('not-started', sentence('The launch configuration "{0}" did not start.', name));
      return new OtherSession(parent, await promise);
    } finally {
      listener.dispose();
    }
  }

  async stop(): Promise<void> {
    await vscode.debug.stopDebugging(this.#session);
  }

  kill(): void {
    void vscode.debug.stopDebugging(this.#session);
  }
}
