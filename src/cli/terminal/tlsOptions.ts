import { resolve } from 'node:path';
import type { AgentTls } from '../../client/http/agentTls.ts';
import type { TlsSettings } from '../../model/agents/agentSettings.ts';
import { settingsFile } from '../../request/values/settingsFile.ts';
import type { Output } from './output.ts';
import type { Values } from './options.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** The environment variable with the passphrase of `--key` or `--pfx`: on the command line everybody on the machine could read it. */
const passphraseVariable = 'A2A_TLS_PASSPHRASE';

export const hasCertificate = ({ cert, pfx }: Pick<Values, 'cert' | 'pfx'>): boolean => (cert ?? pfx) !== undefined;

/** The TLS settings of the options, with whole paths; undefined where there are none. @throws UsageError */
export function tlsOptions({ values, host }: Pick<Terminal, 'values' | 'host'>): TlsSettings | undefined {
  const { cert, key, pfx, ca, insecure } = values;
  if (pfx !== undefined && (cert ?? key) !== undefined)
    throw new UsageError('--pfx holds certificate and key: leave out --cert and --key.');
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key belong together.');
  if ((cert ?? pfx ?? ca) === undefined && insecure !== true) return undefined;
  const path = (written: string): string => resolve(host.cwd(), written);
  return {
    ...(cert !== undefined && { certificate: path(cert) }),
    ...(key !== undefined && { key: path(key) }),
    ...(pfx !== undefined && { pfx: path(pfx) }),
    ...(ca !== undefined && { ca: path(ca) }),
    ...((key ?? pfx) !== undefined && host.env[passphraseVariable] !== undefined && { passphrase: `{{$env ${passphraseVariable}}}` }),
    ...(insecure === true && { rejectUnauthorized: false }),
  };
}

/** Warns of `--insecure`, once. */
export function warnOfInsecure({ insecure }: Values, output: Output): void {
  if (insecure === true)
    output.printError('warning: certificates are not checked (--insecure): anybody on the way can read and change what is sent.');
}

/** The same for commands about one agent. @throws UsageError */
export function tlsOf(terminal: Pick<Terminal, 'values' | 'host' | 'output'>): AgentTls | undefined {
  const { host, output } = terminal;
  const settings = tlsOptions(terminal);
  if (settings === undefined) return undefined;
  const { certificate, key, pfx, ca, passphrase, rejectUnauthorized } = settings;
  const read = async (path: string | undefined): Promise<Uint8Array | undefined> =>
    path === undefined ? undefined : settingsFile(path, { base: host.cwd() });
  return async () => {
    const [certificateBytes, keyBytes, pfxBytes, caBytes] = await Promise.all([certificate, key, pfx, ca].map(read));
    const words = passphrase === undefined ? undefined : host.env[passphraseVariable];
    output.secrets.add(words);
    return {
      ...(certificateBytes && { certificate: certificateBytes }),
      ...(keyBytes && { key: keyBytes }),
      ...(pfxBytes && { pfx: pfxBytes }),
      ...(caBytes && { ca: caBytes }),
      ...(words !== undefined && { passphrase: words }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    };
  };
}
