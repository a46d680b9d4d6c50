import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { releases, versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { transportFor, transports } from '../interfaces/transports.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';

/** The same path at the origin that the person gave, where the card came from. */
export function atGivenOrigin(
  entry: AgentInterface,
  {
    target: {
      resolved: { agentUrl },
    },
  }: DiagnosisContext,
): AgentInterface {
  const { pathname, search } = new URL(entry.url);
  return { ...entry, url: new URL(pathname + search, agentUrl).href };
}

/** Other paths of the same server: with or without a trailing slash, the path in the card, and the root. */
export function otherPaths(
  entry: AgentInterface,
  {
    target: {
      resolved: { agentUrl, cardUrl },
    },
  }: DiagnosisContext,
): readonly AgentInterface[] {
  const { origin, pathname } = new URL(entry.url);
  const withoutCall = pathname.replace(callPath, '');
  const beside = new URL(cardUrl).pathname.replace(/\/\.well-known\/.*$/, '');
  const given = new URL(agentUrl).pathname;
  const paths = [
    withoutCall || '/',
    pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : `${pathname}/`,
    ...(/\.json$/.test(given) ? [] : [given]),
    beside || '/',
    `${beside}/`,
    '/',
  ];
  return [...new Set(paths.map(path => new URL(path || '/', origin).href))]
    .filter(url => url !== entry.url)
    .map(url => ({ ...entry, url }));
}

/** The path of an operation, which some cards give as the address of the interface. */
const callPath = /(?:\/v1)?\/(?:message:(?:send|stream)|tasks(?:\/.*)?)$/;

/** The same address in other bindings. */
export function otherBindings(entry: AgentInterface): readonly AgentInterface[] {
  const version = versionOf(entry.protocolVersion);
  if (version === undefined) return [];
  const { origin, pathname } = new URL(entry.url);
  const urls = [...new Set([entry.url, new URL(pathname.replace(callPath, '') || '/', origin).href])];
  const own = transportFor(entry.protocolBinding);
  return transports
    .filter(other => other !== own && other.supports(version))
    .flatMap(({ protocolBinding }) => urls.map(url => ({ ...entry, url, protocolBinding })));
}

/** Other versions: those that the agent names, those that the card hints at, then releases from the newest on. */
export function otherVersions(entry: AgentInterface, { detection }: DiagnosisContext, supported: readonly string[]): readonly Version[] {
  const claimed = versionOf(entry.protocolVersion);
  const transport = transportFor(entry.protocolBinding);
  const hinted = [...supported, ...(detection === undefined ? [] : [detection.version, detection.next ?? detection.shape])];
  const wanted = [...hinted.map(word => versionOf(word)).filter(version => version !== undefined), ...releases];
  return [...new Set(wanted)].filter(version => version !== claimed && transport?.supports(version) === true);
}
