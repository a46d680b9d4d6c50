import { originsOfHeaders } from '../../model/agents/agentHeaders.ts';
import { isAgentAddress } from '../../model/agents/agents.ts';
import { agentNameOf } from '../../model/requests/agentNameOf.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { homeOf, withNeeded } from '../../request/file/imports.ts';
import { matrixAgents, type MatrixTarget } from '../../request/file/matrix.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { hasRows } from '../../request/file/writtenRows.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { rowsOf, type Row } from '../../request/resolve/rows.ts';
import { merged, noValues } from '../../request/text/value.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import type { Values } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import { agentOptions, typedOrigins, type RunAgents } from './runAgents.ts';
import type { RunFile } from './runFiles.ts';

/** Requires of an address that a file names that it gets what the command line gives without naming an agent. */
export type HeaderReach = (url: string) => void;

/** A request of a file. */
interface OfFile {
  readonly file: RunFile;
  readonly entry: RequestEntry;
}

/**
 * Options that name no agent (headers, a client certificate, unchecked certificates) apply to the command line's own
 * agents, to those of the settings and to what `--allow-origin` names. An origin that only files name has it where the requests go to no
 * other, since the file may come from another person. The returned function throws the `Problem` `header-elsewhere`, such as for an address
 * that shows only while the requests are sent.
 * @throws UsageError where requests would go to such an origin and to others
 */
export async function headerReach(
  { values }: Pick<Terminal, 'values'>,
  { named, headers }: RunAgents,
  requests: readonly OfFile[],
): Promise<HeaderReach> {
  const options = [...(Object.keys(headers.all).length > 0 ? ['--header'] : []), ...tlsOptionsGiven(values)];
  if (options.length === 0) return () => {};
  const reached = new Set([
    ...typedOrigins(values),
    ...approvedOriginsOf(values, selectorOf(values)),
    ...Object.values(named).flatMap(settings => originsOfHeaders(settings)),
  ]);
  const origins = new Set<string>();
  for (const { file, entry } of withAllNeeded(requests))
    for (const name of await agentsBefore(entry, file, agentOptions(values).other))
      for (const origin of originsOf(named[name]?.url ?? name)) origins.add(origin);
  const strangers = [...origins].filter(origin => !reached.has(origin));
  if (strangers.length > 0 && origins.size > 1)
    throw new UsageError(
      `${options.join(' and ')} would also go to ${listed(strangers)}, which only a file names. Nothing was sent. Add --allow-origin ORIGIN for each origin that may have it${options.includes('--header') ? ", or write --header 'AGENT: NAME: VALUE' for one agent alone" : ''}.`,
    );
  for (const origin of strangers) reached.add(origin);
  return url => {
    const elsewhere = originsOf(url).find(origin => !reached.has(origin));
    if (elsewhere !== undefined) throw goesElsewhere(options, elsewhere);
  };
}

/** The origins of an address; none for anything else. */
const originsOf = (url: string): readonly string[] => (isAgentAddress(url) ? originsOfHeaders({ url }) : []);

const tlsOptionsGiven = ({ cert, pfx, insecure }: Values): readonly string[] => [
  ...(cert === undefined ? [] : ['--cert']),
  ...(pfx === undefined ? [] : ['--pfx']),
  ...(insecure === true ? ['--insecure'] : []),
];

function goesElsewhere(options: readonly string[], origin: string): Problem {
  return new Problem(
    'header-elsewhere',
    sentence('The request was not sent: {0} would also go to {1}, which only a file names.', options.join(', '), origin),
    { nextStep: sentence('Add {0} if it may go there.', `--allow-origin ${origin}`) },
  );
}

const withAllNeeded = (requests: readonly OfFile[]): readonly OfFile[] =>
  [...Map.groupBy(requests, ({ file }) => file)].flatMap(([file, ofIt]) =>
    withNeeded(
      ofIt.map(({ entry }) => entry),
      file.file,
    ).map(entry => ({ file, entry })),
  );

type Sent = Pick<Row, 'values'> & { readonly target?: Pick<MatrixTarget, 'agent' | 'interface'> };

/** The agents of a request, as far as they are known before anything is sent. */
async function agentsBefore(entry: RequestEntry, { file, values, host }: RunFile, given: string | undefined): Promise<readonly string[]> {
  const home = homeOf(entry, file);
  const scope: Scope = {
    file: home?.file ?? file,
    values,
    functions: home === undefined ? host : home.hostIn(host),
    result: () => undefined,
  };
  const agents = matrixAgents(entry);
  const rows: readonly Sent[] =
    (hasRows(entry) ? await unlessUnknown(rowsOf(entry, scope)) : undefined) ??
    (agents.length === 0 ? [{ values: noValues }] : agents.map(agent => ({ target: { agent }, values: noValues })));
  const names: string[] = [];
  for (const { target, values: own } of rows) {
    const sent = target === undefined ? entry : entry.sentTo(target);
    const name = await unlessUnknown(agentNameOf(sent, { ...scope, values: merged(values, own) }, given));
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Undefined for what has no value yet. */
async function unlessUnknown<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Maximum number of origins listed in one message. */
const maxListed = 10;

const listed = (origins: readonly string[]): string => origins.slice(0, maxListed).join(', ') + (origins.length > maxListed ? ', …' : '');
