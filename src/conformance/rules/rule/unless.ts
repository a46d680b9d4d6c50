import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import type { Declared, Probe } from './probe.ts';

type Unless = NonNullable<Probe['unless']>;

export const noCard = sentence('There is no agent card.');
export const undeclared = (port: Declared, what: string): LocalizedMessage =>
  port.noCard === true ? noCard : sentence('The card does not declare {0}.', what);
const declared = (what: string): LocalizedMessage => sentence('The card declares {0}.', what);

type Capability = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

// Functions of their own and not made by a call: what a module calls while it is loaded stays where nothing needs it.
const without = (port: Declared, capability: Capability): LocalizedMessage | undefined =>
  port.card.capabilities[capability] === true && port.noCard !== true ? undefined : undeclared(port, `capabilities.${capability}`);
const having = (port: Declared, capability: Capability): LocalizedMessage | undefined =>
  port.noCard === true ? noCard : port.card.capabilities[capability] === true ? declared(`capabilities.${capability}`) : undefined;

/** For rules about what the card says or does not say. */
export const unlessNoCard: Unless = port => (port.noCard === true ? noCard : undefined);

/** For rules about what the card says that the agent does. */
export const unlessStreaming: Unless = port => without(port, 'streaming');
export const unlessNotifying: Unless = port => without(port, 'pushNotifications');
export const unlessExtendedCard: Unless = port => without(port, 'extendedAgentCard');

/** For rules about what the card does not say. */
export const unlessNotNotifying: Unless = port => having(port, 'pushNotifications');
export const unlessNoExtendedCard: Unless = port => having(port, 'extendedAgentCard');

/** True where the card says that every request needs credentials. */
const isSecured = ({ card: { securityRequirements = [] } }: Declared): boolean =>
  securityRequirements.length > 0 && securityRequirements.every(({ schemes }) => Object.keys(schemes).length > 0);

export const unlessSecured: Unless = port => (isSecured(port) ? undefined : undeclared(port, 'securityRequirements'));

export const unlessJson: Unless = port =>
  port.interface.protocolBinding === 'GRPC' ? sentence('The rule is about JSON, which gRPC does not use.') : undefined;

export const unlessSiblings: Unless = port =>
  port.siblings().length > 0 ? undefined : sentence('The card has no other interface of A2A {0}.', port.version);
