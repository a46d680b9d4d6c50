import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { startWorld, type World } from '../../support/model/world.ts';
import { caught, figure, full } from '../../support/figure.ts';

/** A credential as people configure it: what is sent, and by what of it a leak is known. */
interface Secret {
  readonly header: string;
  readonly value: string;
  readonly canary: string;
}
/** What does not occur by chance, with characters that every encoding writes in another way. */
const canaryOf = (index: number): string => `c${index}Qz"7/+<Kx>${index}v9&Tw`;
const forms: readonly ((canary: string) => Omit<Secret, 'canary'>)[] = [
  canary => ({ header: 'Authorization', value: `Bearer ${canary}` }),
  canary => ({ header: 'authorization', value: canary }),
  canary => ({ header: 'Authorization', value: `Basic ${Buffer.from(`ann:${canary}`).toString('base64')}` }),
  canary => ({ header: 'Authorization', value: `token ${canary}` }),
  canary => ({ header: 'X-Api-Key', value: canary }),
  canary => ({ header: 'x-goog-api-key', value: canary }),
  canary => ({ header: 'Cookie', value: `theme=dark; sid=${canary}` }),
  canary => ({ header: 'Proxy-Authorization', value: `Bearer ${canary}` }),
  canary => ({ header: 'X-Auth-Token', value: canary }),
  canary => ({ header: 'X-Amz-Security-Token', value: canary }),
];
const secrets: readonly Secret[] = Array.from({ length: 20 }, (_, index) => ({
  ...forms[index % forms.length]!(canaryOf(index)),
  canary: canaryOf(index),
}));

const encodings: Readonly<Record<string, (canary: string) => string>> = {
  'as it is': canary => canary,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in small letters': canary => encodeURIComponent(canary).replaceAll(/%../g, code => code.toLowerCase()),
  'in base64': canary => Buffer.from(`user:${canary}:x`).toString('base64'),
  'in base64 of addresses': canary => Buffer.from(canary).toString('base64url'),
  'in base64 of base64': canary => Buffer.from(`x${Buffer.from(`user:${canary}:x`).toString('base64')}y`).toString('base64'),
  'with every character percent-encoded': canary => Buffer.from(canary).toString('hex').replaceAll(/../g, '%$&'),
  'partly percent-encoded, twice': canary =>
    encodeURIComponent(
      [...canary]
        .map((character, index) => (index % 3 === 0 ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character)))
        .join(''),
    ),
  "with JSON's escapes for every character": canary =>
    [...canary].map(character => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
  'as references to characters': canary => [...canary].map(character => `&#x${character.charCodeAt(0).toString(16)};`).join(''),
  'in hexadecimal digits': canary => Buffer.from(canary).toString('hex'),
  'in upper case': canary => canary.toUpperCase(),
};
/** What of the secret must be nowhere. */
const traces = ({ canary }: Secret): readonly string[] => {
  const json = JSON.stringify(canary).slice(1, -1);
  const inner = [0, 1, 2].map(lead =>
    Buffer.concat([Buffer.alloc(lead), Buffer.from(canary)])
      .toString('base64')
      .slice(4, -4),
  );
  // Split among parts, it is read as one all the same.
  const written = Object.values(encodings).map(encode => encode(canary).slice(4, -4));
  return [
    ...written,
    ...written.map(text => JSON.stringify(text).slice(1, -1)),
    canary,
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(canary),
    encodeURIComponent(canary).replaceAll(/%../g, code => code.toLowerCase()),
    ...inner,
    ...inner.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
};

/** What the agent does with a secret that it gets; `there` is a server that must never get it. */
type Attack = (
  request: IncomingMessage,
  response: ServerResponse,
  given: { readonly secret: Secret; readonly base: string; readonly there: string; readonly isCard: boolean; readonly id: unknown },
) => void;

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
const card = (url: string): object => ({ ...minimalCard(url, '1.0'), capabilities: { streaming: true } });
const answer = (id: unknown, text: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } },
});
const events = (response: ServerResponse, values: readonly unknown[]): void =>
  void response
    .writeHead(200, { 'Content-Type': 'text/event-stream' })
    .end(values.map(value => `data: ${JSON.stringify(value)}\n\n`).join(''));

const leads: Readonly<Record<string, (there: string) => string>> = {
  'to another origin': there => `${there}/taken`,
  'without a scheme': there => `${there.slice('http:'.length)}/taken`,
  'with a name in front': there => there.replace('http://', 'http://127.0.0.1:1@'),
};
const redirects: Readonly<Record<string, Attack>> = Object.fromEntries(
  [301, 302, 303, 307, 308].flatMap(status =>
    Object.entries(leads).flatMap(([lead, to]) =>
      ['the card', 'the message'].map((what): [string, Attack] => [
        `${status} of ${what} ${lead}`,
        (_request, response, { base, there, isCard, id }) => {
          if (isCard === (what === 'the card')) response.writeHead(status, { Location: to(there) }).end();
          else if (isCard) json(response, card(base));
          else json(response, answer(id, 'fine'));
        },
      ]),
    ),
  ),
);

const swaps: Readonly<Record<string, Attack>> = {
  'a card that leads elsewhere': (_request, response, { there, isCard, id }) =>
    json(response, isCard ? card(`${there}/a`) : answer(id, 'fine')),
  'a card whose other interfaces lead elsewhere': (_request, response, { base, there, isCard, id }) =>
    json(
      response,
      isCard
        ? {
            ...card(base),
            supportedInterfaces: [
              { url: `${there}/a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
              { url: base, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
            ],
          }
        : answer(id, 'fine'),
    ),
  'a refusal of the version, with another interface elsewhere': (_request, response, { base, there, isCard, id }) =>
    json(
      response,
      isCard
        ? {
            ...card(base),
            supportedInterfaces: [
              { url: base, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
              { url: `${there}/a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
            ],
          }
        : { jsonrpc: '2.0', id, error: { code: -32009, message: 'version not supported' } },
    ),
  'security schemes that ask for a token elsewhere': (_request, response, { base, there, isCard, id }) =>
    json(
      response,
      isCard
        ? {
            ...card(base),
            securitySchemes: { o: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${there}/token`, scopes: {} } } } } },
            securityRequirements: [{ schemes: { o: { list: [] } } }],
          }
        : answer(id, 'fine'),
    ),
};

const echoes: Readonly<Record<string, (text: string) => (response: ServerResponse, id: unknown) => void>> = {
  'a body of 401': text => response =>
    response.writeHead(401, { 'WWW-Authenticate': `Bearer realm="${encodeURIComponent(text)}"` }).end(`wrong: ${text}`),
  'an error': text => (response, id) =>
    json(response, { jsonrpc: '2.0', id, error: { code: -32603, message: `no ${text}`, data: [{ [text]: text }] } }),
  'an answer': text => (response, id) => json(response, answer(id, `it is ${text}.`)),
  'a header': text => (response, id) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/json', 'X-Seen': encodeURIComponent(text) })
      .end(JSON.stringify(answer(id, 'fine'))),
  'a page': text => response => void response.writeHead(502, { 'Content-Type': 'text/html' }).end(`<p>${text}</p>`),
  'a stream': text => (response, id) => events(response, [answer(id, text)]),
  'a stream in pieces': text => (response, id) => {
    const update = (part: string, append: boolean): object => ({
      jsonrpc: '2.0',
      id,
      result: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: part }] }, append } },
    });
    events(response, [
      { jsonrpc: '2.0', id, result: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
      ...(text.match(/[^]{1,3}/gu) ?? []).map((part, index) => update(part, index > 0)),
      { jsonrpc: '2.0', id, result: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
    ]);
  },
};
const quotes: Readonly<Record<string, Attack>> = Object.fromEntries(
  Object.entries(echoes).flatMap(([place, say]) =>
    Object.entries(encodings).map(([encoding, encode]): [string, Attack] => [
      `${place}, ${encoding}`,
      (_request, response, { secret, base, isCard, id }) =>
        isCard ? json(response, card(base)) : say(encode(secret.canary))(response, id),
    ]),
  ),
);

const hex = (text: string): string => Buffer.from(text).toString('hex');
/** Names of hosts and addresses that are told although nobody goes there. */
const addresses: Readonly<Record<string, (secret: string) => string>> = {
  'in a host': secret => `http://${hex(secret)}.localhost:1/a`,
  'in a path': secret => `http://127.0.0.1:1/${encodeURIComponent(secret)}`,
  'in a query': secret => `http://127.0.0.1:1/?q=${encodeURIComponent(secret)}`,
  'as a user': secret => `http://${encodeURIComponent(secret)}:x@127.0.0.1:1/`,
  'as an address that is none': secret => `gopher://${secret}/`,
};
const messageOf = (id: unknown, message: object): object => ({
  jsonrpc: '2.0',
  id,
  result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'fine' }], ...message } },
});
/** Who is told of a task, with what an agent would have to keep of that. */
const webhook = (secret: string) => ({
  taskId: 't',
  id: 'w',
  url: `https://${encodeURIComponent(secret)}:${hex(secret)}@hook.invalid/?token=${encodeURIComponent(secret)}#${encodeURIComponent(secret)}`,
  token: secret,
  authentication: { scheme: 'Basic', credentials: Buffer.from(`ann:${secret}`).toString('base64') },
});
const places: Readonly<Record<string, (text: string) => (response: ServerResponse, id: unknown) => void>> = {
  'two parts of a message': text => (response, id) =>
    json(response, messageOf(id, { parts: [{ text: text.slice(0, 7) }, { text: text.slice(7) }] })),
  'parts of one character each': text => (response, id) =>
    json(response, messageOf(id, { parts: [...text].map(character => ({ text: character })) })),
  'two parts of a message in a stream': text => (response, id) =>
    events(response, [messageOf(id, { parts: [{ text: text.slice(0, 7) }, { text: text.slice(7) }] })]),
  'two parts of an artifact in a stream': text => (response, id) =>
    events(response, [
      { jsonrpc: '2.0', id, result: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
      {
        jsonrpc: '2.0',
        id,
        result: {
          artifactUpdate: {
            taskId: 't',
            contextId: 'c',
            artifact: { artifactId: 'a', parts: [{ text: text.slice(0, 5) }, { text: text.slice(5, 9) }] },
          },
        },
      },
      {
        jsonrpc: '2.0',
        id,
        result: {
          artifactUpdate: {
            taskId: 't',
            contextId: 'c',
            append: true,
            artifact: { artifactId: 'a', parts: [{ text: text.slice(9) }, { text: 'x' }] },
          },
        },
      },
      { jsonrpc: '2.0', id, result: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
    ]),
  'metadata, names and ids': text => (response, id) =>
    json(
      response,
      messageOf(id, {
        messageId: text,
        contextId: text,
        metadata: { [text]: text },
        extensions: [text],
        referenceTaskIds: [text],
        parts: [
          { data: { [text]: { [text]: [text] } } },
          { raw: Buffer.from(text).toString('base64'), filename: text, mediaType: `text/x; name=${text}` },
          { url: `https://a.invalid/${encodeURIComponent(text)}` },
        ],
      }),
    ),
  "a webhook's address, for a task": text => (response, id) =>
    json(response, {
      jsonrpc: '2.0',
      id,
      result: {
        task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, metadata: { webhook: webhook(text) } },
      },
    }),
  "a webhook's address, instead of an answer": text => (response, id) => json(response, { jsonrpc: '2.0', id, result: webhook(text) }),
  "a webhook's address, in an error": text => (response, id) =>
    json(response, { jsonrpc: '2.0', id, error: { code: -32003, message: `No ${webhook(text).url}`, data: [webhook(text)] } }),
  'comments, names and ids of events': text => (response, id) =>
    void response
      .writeHead(200, { 'Content-Type': 'text/event-stream' })
      .end(
        `: ${text}\n\nevent: ${text}\nid: ${text}\nretry: ${text}\n${text}: ${text}\ndata: ${JSON.stringify(answer(id, 'fine'))}\n\n: ${text}\n\n`,
      ),
  'a stream that ends in the middle': text => response =>
    void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`data: {"text": "${text}`),
  'words for the status': text => response =>
    void response.writeHead(418, text.replaceAll(/[^ -~]/g, ''), { 'Content-Type': 'text/plain' }).end(),
  'names and values of headers': text => (response, id) =>
    void response
      .writeHead(200, {
        'Content-Type': 'application/json',
        [`X-${hex(text)}`]: text,
        'Set-Cookie': `seen=${encodeURIComponent(text)}`,
        Link: `<${encodeURIComponent(text)}>`,
        ETag: hex(text),
      })
      .end(JSON.stringify(answer(id, 'fine'))),
  'a challenge': text => response =>
    response
      .writeHead(401, {
        'WWW-Authenticate': [`Basic realm=${JSON.stringify(text)}`, `Bearer error_description="${text.toLowerCase()}"`],
        'Proxy-Authenticate': `Basic realm="${hex(text)}"`,
      })
      .end(),
  'a method and a version': text => (response, id) => json(response, { jsonrpc: text, id: text, result: { [text]: id } }),
  'no JSON': text => response => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"result": ${text}`),
  'an answer that breaks off': text => response => {
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '9999' })
      .write(`{"result": "${text}`, () => response.destroy());
  },
};
const planted: Readonly<Record<string, Attack>> = Object.fromEntries([
  ...Object.entries(addresses).flatMap(([place, address]): [string, Attack][] => [
    [
      `a card that leads to it ${place}`,
      (_request, response, { secret, isCard, id }) => json(response, isCard ? card(address(secret.canary)) : answer(id, 'fine')),
    ],
    [
      `a redirect of the card to it ${place}`,
      (_request, response, { secret }) => void response.writeHead(302, { Location: address(secret.canary) }).end(),
    ],
    [
      `a redirect of the message to it ${place}`,
      (_request, response, { secret, base, isCard }) =>
        isCard ? json(response, card(base)) : void response.writeHead(307, { Location: address(secret.canary) }).end(),
    ],
  ]),
  ...Object.entries(places).map(([place, say]): [string, Attack] => [
    place,
    (_request, response, { secret, base, isCard, id }) => (isCard ? json(response, card(base)) : say(secret.canary)(response, id)),
  ]),
  [
    'texts of a card',
    (_request, response, { secret: { canary }, base, isCard, id }) =>
      json(
        response,
        isCard
          ? {
              ...card(base),
              name: canary,
              description: canary.toUpperCase(),
              version: canary,
              skills: [{ id: canary, name: canary, description: canary, tags: [canary], examples: [hex(canary)] }],
              [canary]: canary,
              provider: { organization: canary, url: `https://${hex(canary)}.invalid/` },
              documentationUrl: `https://a.invalid/${encodeURIComponent(canary)}`,
              iconUrl: `https://${hex(canary)}.invalid/`,
              defaultInputModes: [canary],
              signatures: [{ protected: Buffer.from(canary).toString('base64url'), signature: canary }],
            }
          : answer(id, 'fine'),
      ),
  ],
  [
    'a card that is none',
    (_request, response, { secret: { canary } }) => json(response, { name: canary, [canary]: [canary], supportedInterfaces: canary }),
  ],
]);

const attacks = { ...redirects, ...swaps, ...quotes, ...planted };
/** A sample takes each attack once, with one secret after the other. */
const cases = Object.entries(attacks)
  .flatMap(([name, attack], row) => secrets.map((secret, column) => ({ name, attack, secret, column, row })))
  .filter(({ row, column }) => full || column === row % secrets.length);

suite('planted credentials', function () {
  this.timeout(full ? 3_600_000 : 60_000);
  const open = new OpenThings();
  let world: World | undefined;
  teardown(async () => {
    await world?.close();
    world = undefined;
    await open.close();
  });

  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    return body;
  };
  /** What a place got, headers and all. */
  const recorded =
    (got: string[]): RequestListener =>
    async (request, response) => {
      got.push(`${request.url} ${request.rawHeaders.join('\n')} ${await bodyOf(request)}`);
      const isCard = request.method === 'GET';
      json(response, isCard ? card(`http://${request.headers.host}/a`) : answer(1, 'thank you'));
    };
  const leaks = (secret: Secret, text: string): boolean => traces(secret).some(trace => text.includes(trace));

  test('none goes to a place that it was not given to, and none is shown, kept or exported', async () => {
    const elsewhere: string[] = [];
    const here: string[] = [];
    const there = (await open.web(recorded(elsewhere))).slice(0, -1);
    const url = await open.web(async (request, response) => {
      const index = Number(/^\/case-(\d+)\//.exec(request.url ?? '')?.[1] ?? -1);
      if (cases[index] === undefined) {
        response.writeHead(404).end();
        return;
      }
      const body = await bodyOf(request);
      here[index] = `${here[index] ?? ''}${request.rawHeaders.join('\n')}\n`;
      const { attack, secret } = cases[index]!;
      attack(request, response, {
        secret,
        there,
        base: `http://${request.headers.host}/case-${index}/a`,
        isCard: request.method === 'GET',
        id: body === '' ? undefined : (JSON.parse(body) as { id: unknown }).id,
      });
    });
    world = await startWorld({ version: '1.0', script: {} });
    const { agents, contexts, store, errors } = world.open();
    const shown: string[] = [];
    const written: string[] = [];
    for (const [index, { secret }] of cases.entries()) {
      const name = `Agent ${index}`;
      agents.configure({ [name]: { url: `${url}case-${index}/`, headers: { [secret.header]: secret.value } } });
      const context = contexts.create(name);
      await context.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
      const { problem, diagnosis } = agents.get(name)!;
      shown[index] = JSON.stringify([
        context.entries({ limit: 200 }).items,
        context.exchanges().items.map(({ id }) => context.exchange(id)),
        problem?.message,
        problem?.details,
        diagnosis,
      ]);
      written.push(...(await contexts.history.markdown({ context: context.key })));
      context.dispose();
    }
    const exported = [...store.export.lines(undefined, { wire: true }), ...written, ...errors.map(String)].join('\n');
    const folder = dirname(world.path);
    const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map(file => join(folder, file))
      .filter(file => statSync(file).isFile())
      .map(file => readFileSync(file, 'latin1'))
      .join('\n');
    const sent = cases.filter(({ secret }, index) => here[index]?.includes(secret.value) === true).length;
    const found = cases.flatMap(({ name, secret }, index) => [
      ...(elsewhere.some(got => leaks(secret, got)) ? [`${secret.header} at another origin`] : []),
      ...(leaks(secret, shown[index]!) ? [`${name}: ${secret.header} is shown`] : []),
    ]);
    for (const secret of new Set(cases.map(each => each.secret))) {
      if (leaks(secret, exported)) found.push(`${secret.header} is exported`);
      if (leaks(secret, kept)) found.push(`${secret.header} is in the history`);
    }
    figure(
      'F6',
      { cases: cases.length, leaks: found.length },
      `${cases.length} of ${Object.keys(attacks).length} attacks with ${secrets.length} secrets, ${sent} of them with the secret sent where it belongs, ${found.length} leaks`,
    );
    assert.deepEqual([...new Set(found)].slice(0, 20), []);
    // What is never sent cannot leak, and would show nothing.
    assert.equal(sent, cases.length);
  });

  test('a client that follows redirects with its headers leaks them', async () => {
    const elsewhere: string[] = [];
    const there = (await open.web(recorded(elsewhere))).slice(0, -1);
    const url = await open.web((_request, response) => void response.writeHead(307, { Location: `${there}/taken` }).end());
    const secret = secrets[4]!;
    await fetch(url, { method: 'POST', headers: { [secret.header]: secret.value }, body: '{}' });
    assert.ok(elsewhere.some(got => leaks(secret, got)));
    caught('F6', 'a client that follows redirects with its headers');
  });
});
