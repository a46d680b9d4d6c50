import { MemoryContexts } from '../../model/memory/memoryContexts.ts';
import { Agents, isAgentAddress } from '../../model/agents/agents.ts';
import type { Disposable } from '../../model/emitter.ts';
import type { RequestModel } from '../../model/requests/requestPorts.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { settingsFile } from '../../request/values/settingsFile.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { inTerminal, unlessProblem } from '../../protocol/problem.ts';
import { terminalAuthentication } from '../auth/terminalSignIns.ts';
import type { HeaderReach } from './headerReach.ts';
import { agentSettings, literal, type RunAgents } from './runAgents.ts';
import { folderValues } from '../terminal/folderValues.ts';
import { oneLine } from '../terminal/output.ts';
import { originsOf, type Terminal } from '../terminal/terminal.ts';
import { endFollowing, terminalTiming } from '../terminal/terminalContext.ts';

/** The model of a run, without a history. Its agents live as long as the command. */
export interface RunModel extends Disposable {
  readonly agents: RequestModel['agents'];
  /** Those that are configured. */
  readonly configured: Agents;
  /** Contexts for one pass over the files; the caller disposes of them. */
  newContexts(): MemoryContexts;
}

/** Opens the model of a run. */
export function openRunModel(
  terminal: Terminal,
  { named, headers, reach }: RunAgents & { readonly reach: HeaderReach },
  secretOrigins: SecretOrigins,
  onError: (error: unknown) => void,
): RunModel {
  const { host, output } = terminal;
  const agentAt = (url: string) => agents.all.find(({ addressUrl }) => addressUrl === url);
  const authentication = terminalAuthentication(
    terminal,
    url => agentAt(url)?.card,
    async (values, urls) => {
      // A file names any number of agents: what goes to the first may go to no other, as secrets in templates.
      const secrets = new Map([...values].map(([name, value]) => [name, { kind: 'secret' as const, key: `sign-in ${name}`, name, value }]));
      const name = agentAt(urls[0] ?? '')?.name ?? '';
      if (named[name]?.ofWorkspace === true) await terminal.allowance.require([...values.keys()], urls, name);
      await secretOrigins.release({ secrets, answers: false }, undefined, {
        agent: name,
        urls,
        chosenByAnswer: strangers.has(name),
        ownAgent: Object.hasOwn(named, name),
      });
    },
  );
  const agents: Agents = new Agents({
    http: terminal.http,
    signIns: { authentication, stateOf: () => ({ kind: 'none' }) },
    onError,
    values: {
      env: name => host.env[name],
      secret: async name => host.env[secretVariable(name)],
      onUse: (header, value, secret) =>
        secret ? output.secrets.add(value) : output.secrets.addConfigured({ [header]: value }, name => Object.hasOwn(named, name)),
      origins: folderValues(secretOrigins, terminal.allowance),
      file: (path, { base }) => settingsFile(path, { base }),
    },
  });
  let settings = named;
  agents.configure(settings);
  const allowed = new Set(originsOf(terminal.values));
  /** Agents whose addresses came from an answer: they get no headers, and no sign-in. */
  const strangers = new Set<string>();
  return {
    configured: agents,
    agents: {
      isKnown: name => {
        const known = agents.get(name) ?? agents.configuredAt(name);
        return known !== undefined && !strangers.has(known.name);
      },
      find: (name, { chosenByAnswer = false } = {}) => {
        const known = agents.get(name) ?? agents.configuredAt(name);
        if (known !== undefined && !strangers.has(known.name)) return agents.find(name);
        const url = known?.url ?? name;
        if (!isAddress(url)) return agents.find(name);
        // The options of the terminal also apply to agents that a file names by address, as far as they reach.
        const isAllowed = !chosenByAnswer || allowed.has(parseAddress(url).origin);
        if (isAllowed) reach(url);
        if (known === undefined || isAllowed) {
          const key = known?.name ?? name;
          strangers[isAllowed ? 'delete' : 'add'](key);
          settings = {
            ...settings,
            [key]: isAllowed
              ? agentSettings(terminal, { url, headers: literal({ ...headers.all, ...headers.of(url) }) })
              : { ...agentSettings(terminal, { url }), tls: undefined, auth: 'none' },
          };
          agents.configure(settings);
        }
        return agents.find(name);
      },
    },
    newContexts: () =>
      new MemoryContexts({
        agents,
        timing: { ...terminalTiming, naming: 3_000 },
        onLostStream: (taskId, status) => output.printError(`${oneLine(taskId)}: ${inTerminal(status)} ${endFollowing}`),
        onError,
        logOf: name =>
          terminal.recordings?.of(name, () => {
            const agent = agents.get(name);
            return agent && { name, url: agent.addressUrl, source: agent.cardSource };
          }),
      }),
    dispose: () => agents.dispose(),
  };
}

/** True for an address, also one without a scheme, such as `127.0.0.1:41241`. */
const isAddress = (text: string): boolean => isAgentAddress(text) && (unlessProblem(() => parseAddress(text))?.origin ?? 'null') !== 'null';
