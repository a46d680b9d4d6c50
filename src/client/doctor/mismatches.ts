import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { sameHost } from '../http/origin.ts';
import { atGivenOrigin, otherBindings, otherPaths } from './candidates.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';
import type { Reply } from '../interfaces/probe.ts';

/** Facts about the interface before mismatches are checked. */
export interface InterfaceFacts {
  readonly context: DiagnosisContext;
  readonly entry: AgentInterface;
  /** Undefined if its origin is not approved, so that no request was sent. */
  readonly reply: Reply | undefined;
  /** False if its host name does not exist. */
  readonly hostIsKnown: boolean;
}

/** One way in which a card does not match its agent. */
interface Mismatch {
  readonly rule: RuleId;
  readonly member: 'url' | 'protocolBinding' | 'protocolVersion';
  readonly matches: (symptom: InterfaceFacts) => boolean;
  /** Possible corrections. The first one that answers becomes the suggested fix. */
  readonly instead: (symptom: InterfaceFacts) => readonly AgentInterface[];
  readonly sentence: (symptom: InterfaceFacts, found: AgentInterface) => LocalizedMessage;
}

const urlOf = ({ entry }: InterfaceFacts): URL => new URL(entry.url);
const given = ({
  context: {
    target: {
      resolved: { agentUrl },
    },
  },
}: InterfaceFacts): URL => new URL(agentUrl);

/** True where the card refers to another origin than the given address, and no usable reply came from there. */
function leadsAway(symptom: InterfaceFacts): boolean {
  const {
    reply,
    context: {
      target: { wanted },
    },
  } = symptom;
  const silent = reply === undefined || reply.kind === 'unreachable' || reply.kind === 'unclear' || reply.kind === 'nothing-there';
  return silent && wanted.url === undefined && urlOf(symptom).origin !== given(symptom).origin;
}

const here = ({ entry, context }: InterfaceFacts): readonly AgentInterface[] => {
  const moved = atGivenOrigin(entry, context);
  const { agentUrl } = context.target.resolved;
  return /\.json$/.test(new URL(agentUrl).pathname) || agentUrl === moved.url ? [moved] : [moved, { ...moved, url: agentUrl }];
};

function originSentence(symptom: InterfaceFacts, found: AgentInterface): LocalizedMessage {
  const [url, from] = [urlOf(symptom), given(symptom)];
  if (sameHost(url, from) && url.protocol !== from.protocol)
    return sentence(
      'The card says {0} but was served over {1}; the agent answers at {2}.',
      url.origin,
      from.protocol.replace(':', ''),
      found.url,
    );
  if (sameHost(url, from) && url.port !== from.port)
    return sentence('The card names another port than its own ({0}); the agent answers at {1}.', url.host, found.url);
  // Also where two names of this machine differ.
  if (symptom.hostIsKnown)
    return sentence('The card names the host {0} but was served from {1}; the agent answers at {2}.', url.host, from.host, found.url);
  return sentence(
    'The card names the host {0}, which is not found from this machine (a name inside a container or another network?); the agent answers at {1}.',
    url.hostname,
    found.url,
  );
}

const nothingThere = ({ reply }: InterfaceFacts): boolean => reply?.kind === 'nothing-there';

/** Mismatches in the order of checks; the first one with a fix is reported. */
export const mismatches: readonly Mismatch[] = [
  {
    rule: 'CARD-06',
    member: 'url',
    matches: leadsAway,
    instead: here,
    sentence: originSentence,
  },
  {
    rule: 'CARD-07',
    member: 'url',
    matches: nothingThere,
    instead: ({ entry, context }) => otherPaths(entry, context),
    sentence: ({ entry, reply }, found) =>
      sentence('No agent answers at {0} (HTTP {1}); one does at {2}.', entry.url, statusOf(reply), found.url),
  },
  {
    rule: 'CARD-07',
    member: 'protocolBinding',
    matches: symptom => nothingThere(symptom) || symptom.reply?.kind === 'unclear' || symptom.reply?.kind === 'other-version',
    instead: ({ entry }) => otherBindings(entry),
    sentence: ({ entry }, found) =>
      sentence('The card says {0} for {1}, but that address uses {2}.', entry.protocolBinding, entry.url, found.protocolBinding),
  },
];

const statusOf = (reply: Reply | undefined): number => (reply?.kind === 'nothing-there' ? reply.status : 0);

/** The diagnosis where no correction was found. */
export function diagnosisWithoutFix(symptom: InterfaceFacts): readonly [RuleId, Mismatch['member'], LocalizedMessage] | undefined {
  const { entry, reply, hostIsKnown } = symptom;
  if (!hostIsKnown)
    return [
      'CARD-06',
      'url',
      sentence(
        'The card names the host {0}, which is not found from this machine (a name inside a container or another network?).',
        urlOf(symptom).hostname,
      ),
    ];
  switch (reply?.kind) {
    case 'unreachable':
      return ['CARD-06', 'url', sentence('Nothing can be reached at {0}, the address that the card gives.', entry.url)];
    case 'nothing-there':
      return ['CARD-07', 'url', sentence('No agent answers at {0} (HTTP {1}).', entry.url, reply.status)];
    case 'other-version':
      return [
        'CARD-07',
        'protocolVersion',
        reply.lacks === true
          ? sentence('The agent answers that it does not have {0} of A2A {1} at {2}.', 'GetTask', entry.protocolVersion, entry.url)
          : sentence('The agent does not support A2A {0} at {1}, though its card says so.', entry.protocolVersion, entry.url),
      ];
    default:
      return undefined;
  }
}
