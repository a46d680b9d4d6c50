import type { Report } from './report.ts';

const send = ['send', 'URL', 'x'];
const card = ['card', 'URL'];
const hi = { result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } } };

/** Reports about cards, by what is right. */
export const cards: Readonly<Record<string, Report>> = {
  // https://github.com/a2aproject/a2a-samples/issues/599: the interface says no version, and the agent speaks 1.0 alone.
  'an interface of 1.0 without its version is spoken to in 1.0, and what is missing is told': {
    card: url => ({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }] }),
    answer: ({ method }) => (method === 'SendMessage' ? hi : { error: { code: -32601, message: 'Method not found' } }),
    tries: [
      { command: card, status: 0, err: /^CARD-05 \/supportedInterfaces\/0\/protocolVersion: protocolVersion is missing\.$/m },
      { command: send, status: 0, out: 'hi\n' },
    ],
  },
  // https://github.com/a2aproject/a2a-python/issues/1267: a server that nobody gave a card answers 200 and {}.
  'an empty object is called no card, and nothing is sent': {
    front: { body: '{}', type: 'application/json' },
    tries: [{ command: send, status: 3, out: '', err: /is not an agent card: it has neither supportedInterfaces nor url\.$/m }],
  },
  // https://github.com/VoltAgent/voltagent/pull/1199: the url of the card is the path of the card itself.
  'a path in the place of an address is told, with what it leads to': {
    version: '0.3',
    card: { url: '/.well-known/bot/agent-card.json' },
    tries: [
      {
        command: card,
        status: 0,
        out: /^Spoken: Uses JSONRPC 0\.3 at http:\/\/127\.0\.0\.1:\d+\/\.well-known\/bot\/agent-card\.json,/m,
        err: /^CARD-06 \/url: The address of an interface must be absolute/m,
      },
    ],
  },
  // https://github.com/topcheer/ggcode/issues/1089: a security scheme of type http without its scheme.
  'a security scheme without its scheme is told, and credentials that a person gives are sent': {
    version: '0.3',
    card: { securitySchemes: { bearer: { type: 'http' } }, security: [{ bearer: [] }] },
    answer: () => ({ result: { kind: 'message', role: 'agent', messageId: 'm', parts: [{ kind: 'text', text: 'hi' }] } }),
    tries: [
      { command: card, status: 0, err: /^CARD-11 \/securitySchemes\/bearer\/scheme: scheme is missing\.$/m },
      { command: [...send, '--header', 'Authorization: Bearer t0k3n-of-a-person'], status: 0, out: 'hi\n' },
    ],
  },
  // https://github.com/kagent-dev/kagent/issues/1808: at the root of a gateway another protocol answers 406.
  'what a gateway answers in the place of a card is told in its words': {
    front: { body: 'mcp: client must accept both application/json and text/event-stream', type: 'text/plain', status: 406 },
    tries: [{ command: card, status: 3, err: /HTTP 406: mcp: client must accept both application\/json and text\/event-stream$/m }],
  },
};
