import { randomUUID } from 'node:crypto';
import { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Agents } from '../../model/agents/agents.ts';
import type { Disposable } from '../../model/emitter.ts';
import type { RequestModel } from '../../model/requests/requestPorts.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { settingsFile } from '../../request/values/settingsFile.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { Problem } from '../../protocol/problem.ts';
import { openStore } from '../../store/openStore.ts';
import { agentSettings, literal, type RunAgents } from './runAgents.ts';
import { secretValues } from '../terminal/output.ts';
import { originsOf, type Terminal } from '../terminal/terminal.ts';

/** In milliseconds. Shorter than in the editor, because nobody waits at a terminal for an agent to come back. */
const timing = { giveUp: 60_000, naming: 3_000 };

/** Opens the model with a history in memory that lives as long as the command. */
export function openRunModel(
  terminal: Terminal,
  { named, headers }: RunAgents,
  secretOrigins: SecretOrigins,
  onError: (error: unknown) => void,
): RequestModel & Disposable {
  const store = openStore(':memory:');
  const agents = new Agents({
    http: terminal.http,
    onError,
    values: {
      env: name => process.env[name],
      secret: async name => process.env[secretVariable(name)],
      onUse: (header, value, secret) =>
        secret ? secretValues.add(value) : secretValues.addConfigured({ [header]: value }, name => Object.hasOwn(named, name)),
      origins: secretOrigins,
      file: settingsFile,
    },
  });
  const contexts = new AgentContexts({ store, agents, owner: randomUUID(), timing, onError });
  let settings = named;
  agents.configure(settings);
  const allowed = new Set(originsOf(terminal.values));
  /** Agents whose addresses came from an answer: they get no headers. */
  const strangers = new Set<string>();
  return {
    agents: {
      isKnown: name => {
        const known = agents.get(name) ?? agents.configuredAt(name);
        return known !== undefined && !strangers.has(known.name);
      },
      find: (name, { chosenByAnswer = false } = {}) => {
        const known = agents.get(name) ?? agents.configuredAt(name);
        const url = known?.url ?? name;
        if (!isAddress(url) || (known !== undefined && !strangers.has(known.name))) return agents.find(name);
        // The options of the terminal also apply to agents that a file names by address.
        const isMeant = !chosenByAnswer || allowed.has(parseAddress(url).origin);
        if (known === undefined || isMeant) {
          const key = known?.name ?? name;
          strangers[isMeant ? 'delete' : 'add'](key);
          settings = {
            ...settings,
            [key]: isMeant
              ? agentSettings(terminal, { url, headers: literal({ ...headers.all, ...headers.of(url) }) })
              : { ...agentSettings(terminal, { url }), tls: undefined },
          };
          agents.configure(settings);
        }
        return agents.find(name);
      },
    },
    contexts,
    dispose: () => {
      contexts.dispose();
      agents.dispose();
      store.close();
    },
  };
}

function isAddress(text: string): boolean {
  try {
    return URL.canParse(text) && parseAddress(text).origin !== 'null';
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
