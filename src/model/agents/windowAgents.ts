import { headerPieces } from '../../request/template/headerTemplate.ts';
import { plainCredential } from '../../request/template/plainCredential.ts';
import type { AgentSettings } from './agentSettings.ts';

/** The environment variable of VS Code's terminals with the path of the file of the window's agents. */
export const windowAgentsVariable = 'A2A_WINDOW_AGENTS';

/** The file of agents by name. Credentials in plain text are left out; templates stay as they are. */
export const windowAgentsText = (agents: readonly { readonly name: string; readonly settings: AgentSettings }[]): string =>
  `${JSON.stringify(Object.fromEntries(agents.map(({ name, settings }) => [name, withoutSecrets(settings)])), null, 2)}\n`;

function withoutSecrets({ headers, tls, ...settings }: AgentSettings): AgentSettings {
  const kept = Object.entries(headers ?? {}).filter(([name, value]) => plainCredential(name, value) === undefined);
  const { passphrase, ...files } = tls ?? {};
  const isPlain = headerPieces(passphrase ?? '').every(({ kind }) => kind === 'text');
  return {
    ...settings,
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...(tls !== undefined && { tls: isPlain || passphrase === undefined ? files : { ...files, passphrase } }),
  };
}
