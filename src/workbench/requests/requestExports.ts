import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { agentNameOf } from '../../model/requests/agentNameOf.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { isJsonRpc, isWritable, sentCall, sentInterface, type SentInterface } from '../../model/requests/sentCall.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Call } from '../../request/export/callCode.ts';
import { curl, type HttpRequest } from '../../request/export/curl.ts';
import { headerPlaceholders, ownHeaders, withPlaceholders } from '../../request/export/placeholder.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { matrixTargets } from '../../request/file/matrix.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { copiedHeaders, copiedRequest, resolveInterface, resolveWaitFor, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { extendedCard } from '../../request/text/methods.ts';
import type { Text } from '../../request/text/pieced.ts';
import { log } from '../platform/log.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import { codeLanguages } from '../../request/export/languages.ts';

/** A request to be written in another language; its secrets are holes. */
interface Exported {
  readonly agent: Agent;
  readonly used: SentInterface;
  /** The request or the settings name the interface. */
  readonly isChosen: boolean;
  readonly resolved: ResolvedRequest<Text>;
  readonly headers: Readonly<Record<string, Text>>;
}

async function exported(
  written: RequestEntry,
  given: Scope,
  agents: Pick<Agents, 'find'>,
  fallback: string | undefined,
): Promise<Exported> {
  const scope = withPlaceholders(given);
  // Of several targets, the one that is sent to first.
  const [target] = matrixTargets(written);
  const entry = target === undefined ? written : written.sentTo(target);
  const agent = agents.find(await agentNameOf(entry, scope, fallback));
  const used = await sentInterface(
    resolveInterface(entry),
    agent,
    vscode.workspace.isTrusted ? error => log.info(`copied without asking the agent: ${String(error)}`) : undefined,
  );
  return {
    agent,
    used,
    isChosen: (resolveInterface(entry) ?? agent.settings.interface) !== undefined,
    resolved: await copiedRequest(entry, scope, agent.card?.capabilities.streaming === true),
    headers: { ...headerPlaceholders(agent.settings.headers), ...ownHeaders(await copiedHeaders(entry, scope)) },
  };
}

/** The request as a cURL command over the interface that sending uses. Rejects with a `Problem`. */
export async function requestAsCurl(
  entry: RequestEntry,
  scope: Scope,
  agents: Pick<Agents, 'find'>,
  fallback: string | undefined,
): Promise<string> {
  const { agent, used, resolved, headers } = await exported(entry, scope, agents, fallback);
  if (!isWritable(used)) throw overAnother(agent, used);
  if ('operation' in resolved && resolved.operation === extendedCard) throw notCopied(resolved.operation);
  const { protocolBinding, protocolVersion, url } = used.interface;
  // A card may put what it was sent into its addresses.
  const written = (request: HttpRequest): string => curl({ ...request, url: secretsToMask.mask(request.url) });
  if ('raw' in resolved) {
    if (!isJsonRpc(used)) throw notOver(protocolBinding);
    return written({
      method: 'POST',
      url,
      headers: [['Content-Type', 'application/json'], ...Object.entries(headers)],
      body: resolved.raw,
    });
  }
  const { operation } = resolved;
  const call = { agentUrl: agent.url, operation, params: resolved.params as Call['params'], headers };
  const request = sentCall(call, used, resolveWaitFor(entry));
  if (request !== undefined) return written(request);
  throw new Problem('no-method', sentence('A2A {0} has no {1}.', protocolVersion, operation));
}

const notOver = (protocolBinding: string): Problem =>
  new Problem('no-raw-body', sentence('A JSON-RPC body cannot be sent over {0}.', protocolBinding), {
    nextStep: sentence('Use an interface of the agent card that supports JSONRPC.'),
  });

const overAnother = ({ name }: Agent, { interface: { protocolBinding } }: SentInterface): Problem =>
  new Problem('no-interface', sentence('The request is sent to {0} over {1}, which a copy cannot use.', name, protocolBinding), {
    nextStep: sentence('Set another interface for the request, such as "interface": "JSONRPC".'),
  });

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
  const { agent, used, isChosen, resolved, headers } = await exported(entry, scope, agents, fallback);
  if ('raw' in resolved) {
    throw new Problem('raw-body', sentence('A JSON-RPC body is sent as written, which the SDKs cannot do.'), {
      nextStep: sentence('Copy it as cURL.'),
    });
  }
  if (resolved.operation === extendedCard) throw notCopied(resolved.operation);
  // Left to itself an SDK takes the interface that the card prefers.
  if (isChosen && !isWritable(used)) throw overAnother(agent, used);
  const call = { agentUrl: agent.url, ...resolved, params: resolved.params as Call['params'], headers };
  return codeLanguages[language]!.write(
    isChosen ? { ...call, over: { ...used.interface, url: secretsToMask.mask(used.interface.url) } } : call,
  );
}
