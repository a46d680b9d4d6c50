import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { CheckedBinding, CheckedVersion } from './agent/conformingAgent.ts';

/** Why no decoy of the table breaks a rule, in a version over a binding; in all of them where undefined. */
interface Unbroken {
  readonly rule: RuleId;
  readonly versions?: readonly CheckedVersion[];
  readonly bindings?: readonly CheckedBinding[];
  readonly why: string;
}

const statusAlone = 'A2A 0.3 does not say which gRPC status an error has, so that none can be told from another.';
const protobuf = 'The protocol buffers have no way to write it.';
const several = 'It takes an agent with several interfaces, which is tried by itself.';

export const unbroken: readonly Unbroken[] = [
  {
    rule: 'CARD-06',
    why: 'It takes an agent that is elsewhere, which is tried by itself; http to another machine is a decoy of the passive checks.',
  },
  { rule: 'CARD-07', versions: ['0.3'], bindings: ['GRPC'], why: statusAlone },
  { rule: 'CARD-08', bindings: ['GRPC'], why: 'At the address of a gRPC service nothing else is tried.' },
  { rule: 'CARD-18', bindings: ['HTTP+JSON', 'GRPC'], why: 'Without preferredTransport a card means JSON-RPC.' },
  { rule: 'EXTCARD-03', versions: ['0.3'], bindings: ['GRPC'], why: statusAlone },
  { rule: 'CORE-11', versions: ['0.3'], bindings: ['GRPC'], why: statusAlone },
  { rule: 'CORE-16', bindings: ['GRPC'], why: protobuf },
  {
    rule: 'CORE-05',
    versions: ['0.3'],
    why: 'An agent of 0.3 that writes its tasks as that version has them names a context, or makes one up.',
  },
  { rule: 'VER-04', bindings: ['GRPC'], why: protobuf },
  { rule: 'CORE-01', bindings: ['GRPC'], why: protobuf },
  {
    rule: 'CORE-01',
    versions: ['0.3'],
    why: 'kind says which of the two it is: what lacks it is no task and no message, which DATA-01 tells.',
  },
  { rule: 'HTTP-05', versions: ['0.3'], why: 'A2A 0.3 does not say which HTTP status an error has.' },
  { rule: 'AUTH-02', bindings: ['GRPC'], why: 'gRPC has no challenges.' },
  { rule: 'DATA-05', bindings: ['GRPC'], why: protobuf },
  { rule: 'AUTH-05', why: 'It takes a server with TLS, which is tried by itself.' },
  { rule: 'EQ-01', why: several },
  { rule: 'EQ-02', why: several },
  { rule: 'TEN-01', why: 'An agent that fails where its tenant is named answers no request as it should; it is tried by itself.' },
];
