import type { AgentValueSources } from '../../../model/agents/agentHeaders.ts';
import type { SecretOrigins } from '../../../model/agents/secretOrigins.ts';
import { settingsFile } from '../../../request/values/settingsFile.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import { askForSecret, type Secrets } from './secrets.ts';

/**
 * Sources of values for templates in agents' settings. Settings of an untrusted workspace never get here (`scopedAgents`), so that only the
 * user's own read a variable there.
 * @param isAgent names of agents are not masked: they would be hidden everywhere
 */
export function agentValues(secrets: Secrets, origins: SecretOrigins, isAgent: (name: string) => boolean): AgentValueSources {
  // One box after the other: VS Code shows one at a time. A secret that several agents wait for is asked for once.
  let last: Promise<unknown> = Promise.resolve();
  return {
    env: name => process.env[name],
    secret: name => secrets.get(name),
    askForSecret: (name, agent) =>
      (last = last
        .catch(() => undefined)
        .then(async () => ((await secrets.get(name)) === undefined ? askForSecret(secrets, name, agent) : undefined))),
    onUse: (header, value, secret) => {
      if (!secret) secretsToMask.addConfigured({ [header]: value }, isAgent);
      else if (!isAgent(value)) secretsToMask.add(value);
    },
    origins,
    file: settingsFile,
  };
}
