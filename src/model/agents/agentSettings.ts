import type { CheckPrompts } from '../../request/file/checkPrompts.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** TLS options of the connections to an agent. Paths are relative to `AgentSettings.base`. */
export interface TlsSettings {
  /** File with the client's certificate, in PEM. */
  readonly certificate?: string;
  /** File with its private key, in PEM. */
  readonly key?: string;
  /** File with both (PKCS #12), instead of the two. */
  readonly pfx?: string;
  /** Passphrase of the key or the PFX file; takes the same templates as headers. */
  readonly passphrase?: string;
  /** File with further certificate authorities, in PEM. */
  readonly ca?: string;
  /** False accepts any certificate of the server. */
  readonly rejectUnauthorized?: boolean;
}

/**
 * One agent as the setting `a2a.agents` has it, under its name.
 *
 * To add a member: here and in `workbench/platform/agentEntry.ts`, `cli/run/runAgents.ts`, the schema in `package.json` and its strings,
 * then `A2A_WRITE=1 npm test -- unit --grep "page of settings"`. One that names a file, a variable or an address needs rows in
 * `test/component/workbench/workspaceTricks/tricks.ts`.
 */
export interface AgentSettings {
  /** Base address of the agent or of its card, as the person wrote it. */
  readonly url: string;
  /** Sent with every request to approved origins, and to no other. `{{$secret NAME}}` and `{{$env NAME}}` are filled in for each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins besides those of `url` and `interface.url` that may have requests and headers, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
  /** Name of the sign-in that its requests carry, or `none`; the person's current one if left out. */
  readonly auth?: string;
  /** Narrows the choice among the card's interfaces. */
  readonly interface?: InterfaceSelector;
  /** URIs of the extensions that are on. */
  readonly extensions?: readonly string[];
  /** For its approved origins alone, as are the headers. */
  readonly tls?: TlsSettings | undefined;
  /** Folder in which relative paths begin; what a workspace defines reads no file outside it. */
  readonly base?: string;
  /** A workspace defines it, and not the person: the person is asked before secrets go to it. */
  readonly ofWorkspace?: boolean;
  /** `tls` comes from the person's command line and not from the settings that define the agent. */
  readonly tlsOfPerson?: boolean;
  /** Longest wait for a connection, in milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for an answer to begin, in milliseconds; without it, an agent may work on a message as long as it likes. */
  readonly answerTimeoutMs?: number;
  /** True to offer HTTP/2 to an agent with TLS. */
  readonly http2?: boolean;
  /** Prompts that start tasks in a conformance check. */
  readonly check?: CheckPrompts;
}

/**
 * Key of the server certificates that the settings of a workspace trust besides the machine's; undefined where there are none, or where the
 * person's own settings define them. A trusted certificate can decrypt all requests.
 */
export const certificatesOfWorkspace = ({ ofWorkspace = false, tlsOfPerson = false, base, tls }: AgentSettings): string | undefined =>
  ofWorkspace && !tlsOfPerson && (tls?.ca !== undefined || tls?.rejectUnauthorized === false)
    ? JSON.stringify([base ?? '', tls.ca ?? '', tls.rejectUnauthorized !== false])
    : undefined;
