import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/rules/index.ts';
import { sameHost } from '../http/origin.ts';
import { atGivenOrigin, otherBindings, otherPaths } from './candidates.ts';
import type { Examination } from './examination.ts';
import type { Reply } from '../interfaces/probe.ts';

/** What is known of the interface before mismatches are looked for. */
export interface Symptom {
  readonly examination: Examination;
  readonly entry: AgentInterface;
  /** Undefined if it must not be asked: its origin is not approved. */
  readonly reply: Reply | undefined;
  /** False if the name of its host is not known on this machine. */
  readonly known: boolean;
}

/** One way in which a card does not match its agent. */
export interface Mismatch {
  readonly rule: RuleId;
  readonly member: 'url' | 'protocolBinding' | 'protocolVersion';
  readonly shows: (symptom: Symptom) => boolean;
  /** What could be right instead. The first one that answers is the remedy. */
  readonly instead: (symptom: Symptom) => readonly AgentInterface[];
  readonly says: (symptom: Symptom, found: AgentInterface) => LocalizedMessage;
}

const urlOf = ({ entry }: Symptom): URL => new URL(entry.url);
const given = ({
  examination: {
    patient: {
      resolved: { agentUrl },
    },
  },
}: Symptom): URL => new URL(agentUrl);

/** The card leads to another origin than the one it came from, and whoever may ask there got no good answer. */
function leadsAway(symptom: Symptom): boolean {
  const {
    reply,
    examination: {
      patient: { wanted },
    },
  } = symptom;
  const silent = reply === undefined || reply.kind === 'unreachable' || reply.kind === 'unclear' || reply.kind === 'nothing-there';
  return silent && wanted.url === undefined && urlOf(symptom).origin !== given(symptom).origin;
}

const here = ({ entry, examination }: Symptom): readonly AgentInterface[] => {
  const moved = atGivenOrigin(entry, examination);
  const { agentUrl } = examination.patient.resolved;
  return /\.json$/.test(new URL(agentUrl).pathname) || agentUrl === moved.url ? [moved] : [moved, { ...moved, url: agentUrl }];
};
const nothingThere = ({ reply }: Symptom): boolean => reply?.kind === 'nothing-there';

/** In the order in which they are looked for; the first that finds a remedy is reported. Adding one is adding a row. */
export const mismatches: readonly Mismatch[] = [
  {
    rule: 'CARD-06',
    member: 'url',
    shows: symptom => leadsAway(symptom) && sameHost(urlOf(symptom), given(symptom)) && urlOf(symptom).protocol !== given(symptom).protocol,
    instead: here,
    says: (symptom, found) =>
      sentence(
        'The card says {0} and came over {1}; the agent answers at {2}.',
        urlOf(symptom).origin,
        given(symptom).protocol.replace(':', ''),
        found.url,
      ),
  },
  {
    rule: 'CARD-06',
    member: 'url',
    shows: symptom =>
      leadsAway(symptom) &&
      sameHost(urlOf(symptom), given(symptom)) &&
      urlOf(symptom).protocol === given(symptom).protocol &&
      urlOf(symptom).port !== given(symptom).port,
    instead: here,
    says: (symptom, found) =>
      sentence('The card names another port than the one it came from ({0}); the agent answers at {1}.', urlOf(symptom).host, found.url),
  },
  {
    rule: 'CARD-06',
    member: 'url',
    // Two names of this machine, if it is not the port.
    shows: symptom => leadsAway(symptom) && urlOf(symptom).hostname !== given(symptom).hostname,
    instead: here,
    says: (symptom, found) =>
      symptom.known
        ? sentence(
            'The card names the host {0}, and came from {1}; the agent answers at {2}.',
            urlOf(symptom).host,
            given(symptom).host,
            found.url,
          )
        : sentence(
            'The card names the host {0}, which is not found from this machine (a name inside a container or another network?); the agent answers at {1}.',
            urlOf(symptom).hostname,
            found.url,
          ),
  },
  {
    rule: 'CARD-07',
    member: 'url',
    shows: nothingThere,
    instead: ({ entry, examination }) => otherPaths(entry, examination),
    says: ({ entry, reply }, found) =>
      sentence('No agent answers at {0} (HTTP {1}); one does at {2}.', entry.url, statusOf(reply), found.url),
  },
  {
    rule: 'CARD-07',
    member: 'protocolBinding',
    shows: symptom => nothingThere(symptom) || symptom.reply?.kind === 'unclear' || symptom.reply?.kind === 'other-version',
    instead: ({ entry }) => otherBindings(entry),
    says: ({ entry }, found) =>
      sentence('The card says {0} for {1}, but that address uses {2}.', entry.protocolBinding, entry.url, found.protocolBinding),
  },
];

const statusOf = (reply: Reply | undefined): number => (reply?.kind === 'nothing-there' ? reply.status : 0);

/** What is reported if nothing else was found that answers. */
export function bare(symptom: Symptom): readonly [RuleId, Mismatch['member'], LocalizedMessage] | undefined {
  const { entry, reply, known } = symptom;
  if (!known)
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
        sentence('The agent does not support A2A {0} at {1}, though its card says so.', entry.protocolVersion, entry.url),
      ];
    default:
      return undefined;
  }
}
