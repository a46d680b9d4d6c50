import type { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import { AgentHeaders } from '../../model/agents/agentHeaders.ts';
import { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { escapedBraces } from '../../request/template/template.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { settingsFile } from '../../request/values/settingsFile.ts';
import type { FolderAllowance } from './folderAllowance.ts';
import { folderValues } from './folderValues.ts';
import type { NamedAgent } from './namedAgent.ts';
import type { Values } from './options.ts';
import { secretValues } from './output.ts';
import { tlsOptions } from './tlsOptions.ts';

/** Of one command: a secret goes to the origins alone that it is first sent to, whichever request that is. */
let origins: SecretOrigins | undefined;

/**
 * The headers and certificates that settings say of an agent, with those of the command line, which come first. `{{$secret NAME}}` is the
 * environment variable A2A_SECRET_NAME, as for `a2a run`.
 */
export function settingsHeaders(
  { name, settings }: NamedAgent,
  values: Values,
  given: Readonly<Record<string, string>>,
  allowance: FolderAllowance,
): ConfiguredHeaders {
  origins ??= new SecretOrigins({ allowed: values['allow-origin'] ?? [] });
  const own = tlsOptions(values);
  const tls = own ?? settings.tls;
  const literal = Object.fromEntries(Object.entries(given).map(([header, value]) => [header, escapedBraces(value)]));
  const names = new Set(Object.keys(given).map(header => header.toLowerCase()));
  const written = Object.entries(settings.headers ?? {}).filter(([header]) => !names.has(header.toLowerCase()));
  return new AgentHeaders(
    name,
    {
      ...settings,
      headers: { ...Object.fromEntries(written), ...literal },
      ...(tls !== undefined && { tls }),
      tlsOfPerson: own !== undefined,
    },
    {
      env: variable => process.env[variable],
      secret: async secret => process.env[secretVariable(secret)],
      onUse: (header, value, secret) => (secret ? secretValues.add(value) : secretValues.addConfigured({ [header]: value }, () => false)),
      origins: folderValues(origins, allowance),
      file: (path, { base }) => settingsFile(path, { base }),
    },
  ).configured;
}
