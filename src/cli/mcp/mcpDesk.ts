import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { originOf } from '../../assistant/mayAct.ts';
import type { Tool } from '../../assistant/tool.ts';
import { editorVariable, openAddress } from '../../assistant/openAddress.ts';
import type { Place, World } from '../../assistant/world.ts';
import { checkedAgent } from '../../conformance/checkedAgent.ts';
import { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { openStore, readStore } from '../../store/openStore.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { headerReach } from '../run/headerReach.ts';
import { agentOptions, runAgents, typedOrigins } from '../run/runAgents.ts';
import { openRunModel, type RunModel } from '../run/runModel.ts';
import { isAddress, settingsAbove } from '../terminal/namedAgent.ts';
import { quoted } from '../terminal/output.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';
import { FlagConsent } from './flagConsent.ts';
import { runFileFor } from './runFileFor.ts';

/** Most that is kept of the conversations of this process, and of one task, in bytes: the oldest go first. */
const maxBytes = 256 * 2 ** 20;
const maxTaskBytes = 64 * 2 ** 20;

/** How long a call waits for an agent where the client looks after it, in seconds. */
const longestWait = 3_600;

/** Agents, conversations and consent of one `a2a mcp`: the agents that a terminal knows, its own conversations in memory, and a history for reading. */
export class McpDesk {
  readonly #terminal: Terminal;
  readonly #model: RunModel;
  readonly #consent: FlagConsent;
  readonly #secretOrigins: SecretOrigins;
  readonly #stores: readonly TaskStore[];
  readonly #contexts: AgentContexts;
  readonly #archive: AgentContexts | undefined;

  /** @throws UsageError, FileError, Problem */
  static async open(terminal: Terminal): Promise<McpDesk> {
    const { output, values, host } = terminal;
    if (agentOptions(values).other !== undefined) throw new UsageError('--agent of mcp must be NAME=URL.');
    for (const [name, value] of Object.entries(host.env)) if (name.startsWith(secretVariable(''))) output.addSecret(value);
    const agents = await runAgents(terminal, await settingsAbove(host.cwd()));
    const names = Object.keys(agents.named);
    const stranger = values['allow-send']?.find(name => !names.includes(name) && !isAddress(name));
    if (stranger !== undefined)
      throw new UsageError(
        `--allow-send ${stranger.slice(0, 60)}: there is no such agent. There are: ${names.slice(0, 10).join(', ') || 'none'}.`,
      );
    if (names.length === 0) output.printError('warning: there are no agents. Give --agent NAME=URL, or add them to .vscode/settings.json.');
    const secretOrigins = new SecretOrigins({
      allowed: [...approvedOriginsOf(values, selectorOf(values))],
      typed: typedOrigins(values),
    });
    const archive = values.history === undefined ? undefined : readStore(resolve(host.cwd(), values.history));
    const reach = await headerReach(terminal, agents, []);
    const model = openRunModel(terminal, { ...agents, reach }, secretOrigins, error => printDefect(terminal, error));
    return new McpDesk(terminal, model, secretOrigins, archive);
  }

  private constructor(terminal: Terminal, model: RunModel, secretOrigins: SecretOrigins, archive: TaskStore | undefined) {
    this.#terminal = terminal;
    this.#model = model;
    this.#secretOrigins = secretOrigins;
    this.#consent = new FlagConsent(terminal.values['allow-send'] ?? [], name => {
      const agent = model.configured.get(name);
      return agent && originOf(agent.addressUrl);
    });
    const own = openStore(':memory:');
    const options = { agents: model.configured, owner: randomUUID(), onError: this.#onError };
    this.#stores = [own, ...(archive === undefined ? [] : [archive])];
    this.#contexts = new AgentContexts({ ...options, store: own, maxTaskBytes: () => maxTaskBytes });
    this.#archive = archive && new AgentContexts({ ...options, store: archive });
  }

  /**
   * @param client the program that calls
   * @param isPatient true where a call may take long
   */
  world(client: string, isPatient: boolean): World {
    const { configured } = this.#model;
    return {
      client,
      agents: configured,
      contexts: this.#contexts,
      ...(this.#archive !== undefined && { archive: this.#archive }),
      consent: this.#consent,
      check: async ({ access, settings }, rules, signal) => {
        const options = { wanted: settings.interface, prompts: {}, trusted: () => undefined, signal };
        const checked = await checkedAgent({ ...access, ...options, ...(rules !== undefined && { rules: new Set(rules) }) });
        return checked.run({ allowWork: false, onProgress: () => {} });
      },
      run: (wanted, mayRun, signal) =>
        runFileFor({
          terminal: this.#terminal,
          model: { agents: this.#model.agents, contexts: this.#contexts },
          configured,
          secretOrigins: this.#secretOrigins,
          client,
          onError: this.#onError,
        })(wanted, mayRun, signal),
      show: () => {},
      // Conversations of this process are in no editor.
      link: place => (place.context === undefined || this.#archive?.get(place.context) !== undefined ? this.#addressOf(place) : undefined),
      ...(isPatient && { waitSeconds: longestWait }),
      mask: text => {
        const { secrets } = this.#terminal.output;
        for (const { addressUrl } of configured.all) secrets.addAddress(addressUrl);
        return secrets.mask(text);
      },
      onError: this.#onError,
    };
  }

  /** A description for models that says how the server was started: a call that is refused is then not made. */
  descriptionOf({ name, description, asks }: Tool): string {
    const { allowed } = this.#consent;
    if (asks !== undefined) {
      const said = allowed.size === 0 ? 'none: it was started without' : `${[...allowed].map(each => quoted(each)).join(', ')}, by`;
      return `${description} Agents for which this server allows it: ${said} --allow-send. Reading needs no option.`;
    }
    if (name !== 'a2a_history' || this.#archive !== undefined) return description;
    return `${description} This server was started without --history: it has its own conversations alone.`;
  }

  /** Keeps the conversations of this process within their bound. */
  async bound(): Promise<void> {
    const { history } = this.#contexts;
    if (history.disk.now > maxBytes) await history.retain({ bytes: maxBytes / 2 });
  }

  /** Stops listening; cancels nothing. */
  dispose(): void {
    this.#contexts.dispose();
    this.#archive?.dispose();
    for (const store of this.#stores) store.close();
    this.#model.dispose();
  }

  #addressOf(place: Place): string | undefined {
    const scheme = this.#terminal.host.env[editorVariable];
    return scheme !== undefined && /^[a-z][a-z0-9.+-]{0,40}$/.test(scheme) ? openAddress(scheme, place) : undefined;
  }

  readonly #onError = (error: unknown): void => printDefect(this.#terminal, error);
}

const printDefect = ({ output }: Pick<Terminal, 'output'>, error: unknown): void =>
  output.printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
