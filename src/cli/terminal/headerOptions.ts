import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { UsageError } from './usage.ts';

/** A valid header name (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Name and value of a header. An error message does not quote the value, which may be a credential. @throws UsageError */
export function readHeader(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!token.test(name)) throw new UsageError("--header wants 'Name: value'; for one agent of a run, 'AGENT: Name: value'.");
  return [name, line.slice(colon + 1).trim()];
}

/** The headers on the command line of `a2a run`. */
export interface HeaderOptions {
  /** For all agents of the command line and of the settings, and of the files as far as `headerReach` says. */
  readonly all: Readonly<Record<string, string>>;
  /** For one agent, by its name or address on the command line. */
  of(agent: string): Readonly<Record<string, string>>;
}

/**
 * Separates `Name: value` from `AGENT: Name: value`.
 * @param agents names and addresses of all agents in the command line, the settings and the files
 * @throws UsageError for a header for an unknown agent
 */
export function headerOptions(lines: readonly string[], agents: Iterable<string>): HeaderOptions {
  // Longest first: one name may be a prefix of another.
  const names = [...new Set(agents)].sort((one, other) => other.length - one.length);
  const all: [string, string][] = [];
  const own = new Map<string, Record<string, string>>();
  for (const line of lines) {
    const agent = names.find(name => line.startsWith(`${name}:`) && isHeader(line.slice(name.length + 1)));
    if (agent !== undefined) {
      const [name, value] = readHeader(line.slice(agent.length + 1));
      own.set(bare(agent), { ...own.get(bare(agent)), [name]: value });
      continue;
    }
    refuseUnknown(line);
    const [name, value] = readHeader(line);
    all.push([name, value]);
  }
  return { all: Object.fromEntries(all), of: agent => own.get(bare(agent)) ?? {} };
}

/** An address may be written with or without a trailing slash. */
const bare = (agent: string): string => agent.replace(/\/+$/, '');

const isHeader = (text: string): boolean => token.test(text.slice(0, Math.max(text.indexOf(':'), 0)).trim());

const forOneAgent = /^(.+?):\s*([!#$%&'*+.^_`|~\dA-Za-z-]+):\s+(.*)$/s;

/** Calls `tell` with everything in a header option that may be a credential, under each way to read the option. */
export function eachCredential(line: string, tell: (name: string, value: string) => void): void {
  const colon = line.indexOf(':');
  tell(line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim());
  const [, , name, value] = forOneAgent.exec(line) ?? [];
  if (name !== undefined && value !== undefined) tell(name, value.trim());
}

/** A header for an agent whose name is mistyped must not be sent to all agents as a header of that name. */
function refuseUnknown(line: string): void {
  const [, agent = '', name = ''] = forOneAgent.exec(line) ?? [];
  if (agent === '' || (token.test(agent) && !namesCredential(name))) return;
  throw new UsageError(
    `--header names the agent ${JSON.stringify(agent.slice(0, 60))}, which neither --agent, the settings nor the files have.`,
  );
}
