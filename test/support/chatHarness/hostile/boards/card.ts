import type { CardView } from '../../../../../src/chat/host/cardMessages.ts';
import type { AgentCard, AgentInterface, AgentSkill } from '../../../../../src/protocol/card/agentCard.ts';
import type { SecurityScheme } from '../../../../../src/protocol/card/securityScheme.ts';
import { type Attack, type Board, eachSink } from '../board.ts';

const facts: Readonly<Record<string, (text: string) => Partial<AgentCard>>> = {
  'card: name': name => ({ name }),
  'card: description': description => ({ description }),
  'card: version': version => ({ version }),
  'card: documentation': documentationUrl => ({ documentationUrl }),
  'card: icon': iconUrl => ({ iconUrl }),
  'card: input mode': text => ({ defaultInputModes: [text] }),
  'card: output mode': text => ({ defaultOutputModes: [text] }),
  'card: requirement': text => ({ securityRequirements: [{ schemes: { [text]: { list: [text] } } }] }),
  'card: signature': text => ({ signatures: [{ protected: text, signature: text }] }),
};
const providers: Readonly<Record<string, (text: string) => object>> = {
  'card: provider': organization => ({ organization }),
  'card: address of the provider': url => ({ url }),
};
const interfaces: Readonly<Record<string, (text: string) => Partial<AgentInterface>>> = {
  'card: address': url => ({ url }),
  'card: binding': protocolBinding => ({ protocolBinding }),
  'card: version of the protocol': protocolVersion => ({ protocolVersion }),
  'card: tenant': tenant => ({ tenant }),
};
const extensions: Readonly<Record<string, (text: string) => object>> = {
  'card: extension': uri => ({ uri }),
  'card: description of an extension': description => ({ uri: 'x', description }),
};
const skills: Readonly<Record<string, (text: string) => Partial<AgentSkill>>> = {
  'card: skill': name => ({ name }),
  'card: id of a skill': id => ({ id }),
  'card: description of a skill': description => ({ description }),
  'card: tag': text => ({ tags: [text] }),
  'card: example': text => ({ examples: [text] }),
  'card: mode of a skill': text => ({ inputModes: [text], outputModes: [text] }),
};
const schemes: Readonly<Record<string, (text: string) => readonly [name: string, scheme: SecurityScheme]>> = {
  'card: scheme': text => [text, { mtlsSecurityScheme: {} }],
  'card: API key': text => ['a', { apiKeySecurityScheme: { location: 'header', name: text, description: text } }],
  'card: HTTP scheme': text => ['b', { httpAuthSecurityScheme: { scheme: text, bearerFormat: text } }],
  'card: OpenID': openIdConnectUrl => ['c', { openIdConnectSecurityScheme: { openIdConnectUrl } }],
  'card: OAuth': description => ['d', { oauth2SecurityScheme: { flows: {}, description } }],
};

/** The page of an agent card. */
export const card: Board = {
  page: 'cardPage',
  batch: 1,
  steps: 400,
  sinks: [facts, providers, interfaces, extensions, skills, schemes].flatMap(table => Object.keys(table)),
  answers: {},
  show(attacks) {
    const view: CardView = { uri: 'file:///card.json', form: '1.0', current: true, strings: {}, card: cardOf(attacks[0] ?? String) };
    return { messages: [view], presses: ['button'] };
  },
};

function cardOf(attack: Attack): AgentCard {
  return {
    name: 'x',
    description: 'x',
    version: 'x',
    defaultInputModes: [],
    defaultOutputModes: [],
    ...(Object.assign({}, ...eachSink(facts, attack)) as Partial<AgentCard>),
    provider: Object.assign({}, ...eachSink(providers, attack)) as AgentCard['provider'],
    supportedInterfaces: eachSink(interfaces, attack).map(facets => ({ url: 'x', protocolBinding: 'x', protocolVersion: 'x', ...facets })),
    capabilities: { extensions: eachSink(extensions, attack) as NonNullable<AgentCard['capabilities']['extensions']> },
    skills: eachSink(skills, attack).map(facets => ({ id: 'x', name: 'x', description: 'x', tags: [], ...facets })),
    securitySchemes: Object.fromEntries(eachSink(schemes, attack)),
  };
}
