import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { agentNameOf } from '../../model/requests/agentNameOf.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { releases, versionOf } from '../../protocol/versions/index.ts';
import type { Call } from '../../request/export/callCode.ts';
import { curl, jsonRpcRequest } from '../../request/export/curl.ts';
import { headerPlaceholders, ownHeaders, withPlaceholders } from '../../request/export/placeholder.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { copiedHeaders, copiedRequest, resolveInterface, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { extendedCard } from '../../request/text/methods.ts';
import type { Text } from '../../request/text/pieced.ts';
import { log } from '../platform/log.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import { codeLanguages } from '../../request/export/languages.ts';

/** A request to be written in another language; its secrets are holes. */
interface Exported {
  readonly agent: Agent;
  readonly resolved: ResolvedRequest<Text>;
  readonly headers: Readonly<Record<string, Text>>;
}

async function exported(entry: RequestEntry, given: Scope, agents: Pick<Agents, 'find'>, fallback: string | undefined): Promise<Exported> {
  const scope = withPlaceholders(given);
  const agent = agents.find(await agentNameOf(entry, scope, fallback));
  if (vscode.workspace.isTrusted) {
    // Without the card if the agent cannot be reached.
    await agent
      .connect({ wanted: resolveInterface(entry) })
      .catch((error: unknown) => log.info(`copied without the card: ${String(error)}`));
  }
  return {
    agent,
    resolved: await copiedRequest(entry, scope, agent.card?.capabilities.streaming === true),
    headers: { ...headerPlaceholders(agent.settings.headers), ...ownHeaders(await copiedHeaders(entry, scope)) },
  };
}

/** The request as a cURL command over JSON-RPC. Rejects with a `Problem`. */
export async function requestAsCurl(
  entry: RequestEntry,
  scope: Scope,
  agents: Pick<Agents, 'find'>,
  fallback: string | undefined,
): Promise<string> {
  const { agent, resolved, headers } = await exported(entry, scope, agents, fallback);
  const { chosen, offered } = agent.interfaces;
  const all = [
    ...(chosen === undefined ? [] : [chosen.interface]),
    ...offered.filter(({ isSupported }) => isSupported).map(one => one.interface),
  ];
  const overJsonRpc = all.find(({ protocolBinding }) => protocolBinding === 'JSONRPC');
  if (overJsonRpc === undefined && all.length > 0) {
    throw new Problem('no-interface', sentence('{0} does not offer JSON-RPC, which the command would use.', agent.name), {
      nextStep: sentence('Copy the request as code.'),
    });
  }
  if ('operation' in resolved && resolved.operation === extendedCard) throw notCopied(resolved.operation);
  const { url: address, protocolVersion } = overJsonRpc ?? { url: agent.url, protocolVersion: '1.0' };
  // A card may put what it was sent into its addresses.
  const url = secretsToMask.mask(address);
  const version = versionOf(protocolVersion) ?? releases[0]!;
  if ('raw' in resolved)
    return curl({ method: 'POST', url, headers: [['Content-Type', 'application/json'], ...Object.entries(headers)], body: resolved.raw });
  const request = jsonRpcRequest(
    { agentUrl: agent.url, ...resolved, params: resolved.params as Call['params'], headers },
    { url, version },
  );
  if (request !== undefined) return curl(request);
  throw new Problem('no-method', sentence('A2A {0} has no {1}.', protocolVersion, resolved.operation));
}

const notCopied = (operation: string): Problem =>
  new Problem('not-copied', sentence('{0} cannot be copied as a command or as code.', operation), {
    nextStep: sentence('In a terminal, "a2a card URL --extended" sends it.'),
  });

/** The request as a program that uses the official SDK of a language of `codeLanguages`. Rejects with a `Problem`. */
export async function requestAsCode(
  language: string,
  entry: RequestEntry,
  scope: Scope,
  agents: Pick<Agents, 'find'>,
  fallback: string | undefined,
): Promise<string> {
  const { agent, resolved, headers } = await exported(entry, scope, agents, fallback);
  if ('raw' in resolved) {
    throw new Problem('raw-body', sentence('A JSON-RPC body is sent as written, which the SDKs cannot do.'), {
      nextStep: sentence('Copy it as cURL.'),
    });
  }
  if (resolved.operation === extendedCard) throw notCopied(resolved.operation);
  return codeLanguages[language]!.write({ agentUrl: agent.url, ...resolved, params: resolved.params as Call['params'], headers });
}
