import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { UsageError } from './usage.ts';

/** A valid header name (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Name and value of a header. An error message does not quote the value, which may be a credential. @throws UsageError */
export function readHeader(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!token.test(name)) throw new UsageError("--header must be 'Name: value'; for one agent of a run, 'AGENT: Name: value'.");
  return [name, line.slice(colon + 1).trim()];
}

/** The headers on the command line of `a2a run`. */
export interface HeaderOptions {
  /** Headers for all agents of the command line and of the settings, and for those of the files that `headerReach` allows. */
  readonly all: Readonly<Record<string, string>>;
  /** Headers for one agent, by its name or address on the command line. */
  of(agent: string): Readonly<Record<string, string>>;
}

/**
 * Separates `Name: value` from `AGENT: Name: value`. Where a credential might be meant for another agent, or for none, the line is refused.
 * @param agents names and addresses of all agents in the command line, the settings and the files
 * @throws UsageError for a header for an unknown agent, or where that may as well be the name of a header with a credential
 */
export function headerOptions(lines: readonly string[], agents: Iterable<string>): HeaderOptions {
  // Longest first: one name may be a prefix of another.
  const names = [...new Set(agents)].sort((one, other) => other.length - one.length);
  const all: [string, string][] = [];
  const own = new Map<string, Record<string, string>>();
  for (const line of lines) {
    const agent = names.find(name => line.startsWith(`${name}:`) && isHeader(line.slice(name.length + 1)) && !goesOn(name, line));
    if (agent !== undefined) {
      const rest = line.slice(agent.length + 1);
      if (token.test(agent) && namesCredential(agent) && !forOneAgent.test(line))
        throw new UsageError(
          `--header is ambiguous: ${JSON.stringify(agent.slice(0, 60))} is the name of a header and of an agent. For the agent, write "AGENT: Name: value" with its address as AGENT; for all agents, give this one another name.`,
        );
      refuseUnknown(rest, `${agent}:`);
      const [name, value] = readHeader(rest);
      own.set(bare(agent), { ...own.get(bare(agent)), [name]: value });
      continue;
    }
    refuseUnknown(line);
    const [name, value] = readHeader(line);
    all.push([name, value]);
  }
  return { all: Object.fromEntries(all), of: agent => own.get(bare(agent)) ?? {} };
}

/** The agent without trailing slashes: an address may be written either way. */
const bare = (agent: string): string => agent.replace(/\/+$/, '');

const isHeader = (text: string): boolean => token.test(text.slice(0, Math.max(text.indexOf(':'), 0)).trim());

/** True if the line goes on with the port of another agent's address. */
const goesOn = (address: string, line: string): boolean => address.includes('://') && /^\d/.test(line.slice(address.length + 1));

const forOneAgent = /^(.+?):\s*(?!\d+:)([!#$%&'*+.^_`|~\dA-Za-z-]+):\s+(.*)$/s;
/** The same without a space before the value: in the value of a header, what stands before a colon hardly is the name of another one. */
const forOneAgentClosely = /^(.+?):\s*(authorization|cookie|\w+(?:-\w+)+):(.*)$/is;

/** A header with a credential, which is hardly the name of an agent. */
const ownCredential = /^\s*(?:authorization|cookie|[\w-]*-[\w-]*)\s*:/i;

/** Calls `onCredential` with all that may be a credential in a header option, for each way to read the option. */
export function eachCredential(line: string, onCredential: (name: string, value: string) => void): void {
  const colon = line.indexOf(':');
  onCredential(line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim());
  const [, , name, value] = forOneAgent.exec(line) ?? [];
  if (name !== undefined && value !== undefined) onCredential(name, value.trim());
}

/**
 * A header for an agent whose name is mistyped must not be sent to all agents as a header of that name.
 * @param before what the agent's name begins with
 */
function refuseUnknown(line: string, before = ''): void {
  const spaced = forOneAgent.exec(line);
  const [, agent = '', name = ''] = spaced ?? forOneAgentClosely.exec(line) ?? [];
  const isHeader =
    spaced === null ? ownCredential.test(line) || !namesCredential(name) : token.test(agent.trim()) && !namesCredential(name);
  if (agent === '' || isHeader) return;
  throw new UsageError(
    `--header names the agent ${JSON.stringify(`${before}${agent}`.slice(0, 60))}, which neither --agent, the settings nor the files have.`,
  );
}
