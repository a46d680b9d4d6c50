import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { envelope, proto, serveRaw } from '../../support/client/rawGrpc.ts';
import { asks } from '../../support/client/says.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';
import { chunk, first, says, startWorld, status, task, type World } from '../../support/model/world.ts';

/** Two parts of the token that nothing else makes, so long that they do not turn up by chance in the bytes of a database. */
const halves = ['Q7fHmV2sWpzK', 'dR9uXb4NcYtG'] as const;
const token = `canary/${halves.join('')}"9+zT<x>Lm4`;
const headers = { Authorization: `Bearer ${token}`, Cookie: 'sid=cookie-canary-1; theme=dark', 'X-Tenant': 'acme' };
const json = JSON.stringify(token).slice(1, -1);
/** The ways in which a server may quote it; each is looked for in what is kept. */
const quotes: Readonly<Record<string, string>> = {
  'as it is': token,
  'in an address': encodeURIComponent(token),
  'in an address, in small letters': encodeURIComponent(token).replace(/%../g, escape => escape.toLowerCase()),
  'in base64': Buffer.from(`x${token}yz`).toString('base64'),
  'in base64 of addresses': Buffer.from(token).toString('base64url'),
  'of a cookie': 'cookie-canary-1',
};
const canaries = [
  token,
  json,
  json.replaceAll('/', '\\/'),
  encodeURIComponent(token),
  encodeURIComponent(token).toLowerCase(),
  'cookie-canary-1',
  ...halves,
  // As base64 writes them, wherever they begin within three bytes; what stands beside them changes nothing of it.
  ...halves.flatMap(half =>
    ['', 'x', 'xx'].map(lead =>
      Buffer.from(lead + half)
        .toString('base64')
        .slice(lead === '' ? 0 : 4, 16),
    ),
  ),
];

function assertMasked(what: string, where: string): void {
  for (const canary of canaries)
    assert.ok(
      !what.includes(canary),
      `${canary} is in ${where}: ${what.slice(Math.max(0, what.indexOf(canary) - 200), what.indexOf(canary) + 200)}`,
    );
}

/** All that is on the disk. */
const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'latin1'))
    .join('\n');

suite('credentials that an agent sends back', () => {
  const open = new OpenThings();
  let world: World | undefined;
  teardown(async () => {
    await world?.close();
    world = undefined;
    await open.close();
  });

  /** Sends to an agent, and returns what is in the chat, the export and the log. */
  async function told(script: Script): Promise<string> {
    world = await startWorld({ version: '1.0', script });
    const { agents, contexts, store, errors } = world.open();
    agents.configure({ Ann: { url: world.agent.url, headers } });
    const context = contexts.create('Ann');
    await context.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
    const { items } = context.entries({ limit: 200 });
    const wire = context.exchanges().items.map(({ id }) => context.exchange(id));
    context.dispose();
    const exported = [...store.export.lines(undefined, { wire: true })].join('\n');
    assert.deepEqual(errors, []);
    assert.equal(world.agent.requests.at(-1)?.headers.authorization, `Bearer ${token}`);
    const all = JSON.stringify({ items, wire }) + exported;
    assertMasked(all, 'what is shown');
    assertMasked(bytesIn(dirname(world.path)), 'the history');
    return all;
  }

  for (const [way, quote] of Object.entries(quotes)) {
    test(`in a stream, ${way}`, async () => {
      const all = await told({
        SendStreamingMessage: [
          task('WORKING', {}, says('m', `before ${quote} after`)),
          chunk(`${quote}.`, first),
          chunk('plain'),
          status('COMPLETED'),
        ],
      });
      assert.ok(way.includes('base64') || /before •••••• after/.test(all), all);
      assert.ok(all.includes('plain'));
    });

    for (const [place, answer] of Object.entries<(text: string) => readonly Step[]>({
      'a body of HTTP 401': text => [
        { status: 401, headers: { 'WWW-Authenticate': `Bearer error_description="no ${encodeURI(token)}"`, 'X-Seen': encodeURI(token) } },
        { json: { error: `bad token ${text}` } },
      ],
      'an error': text => [{ error: { code: -32603, message: `cannot use ${text}`, data: { seen: [text] } } }],
      'a page': text => [{ status: 502 }, { html: `<p>${text}</p>` }],
      'an event that is an error': text => [
        { status: 200, headers: { 'Content-Type': 'text/event-stream' } },
        { raw: `event: error\ndata: ${text}\n\n` },
      ],
      'a stream that is none': text => [{ status: 200, headers: { 'Content-Type': 'text/event-stream' } }, { raw: `Bearer ${text}\n\n` }],
      'a body that breaks off': text => [
        { status: 200, headers: { 'Content-Type': 'application/json' } },
        { raw: `{"seen": "${text}", "more": "` },
        { delay: 20 },
        { reset: true },
      ],
      'ids and names of events': text => [
        { status: 200, headers: { 'Content-Type': 'text/event-stream' } },
        { raw: `id: ${text}\nevent: ${text}\ndata: {}\n\n` },
      ],
      'a stream that breaks off': text => [
        { status: 200, headers: { 'Content-Type': 'text/event-stream' } },
        { raw: `data: {"seen": "${text}` },
      ],
    }))
      test(`in ${place}, ${way}`, async () => assertMasked(await told({ SendStreamingMessage: answer(quote) }), place));
  }

  for (const [way, quote] of Object.entries({
    'as it is': token,
    'in an address': encodeURIComponent(token),
    'in base64': Buffer.from(token).toString('base64'),
  })) {
    for (const [place, answer] of Object.entries<(text: string) => readonly Step[]>({
      'a body': text => [
        { status: 200, headers: { 'Content-Type': 'application/json' } },
        { raw: `{"seen": "${text}` },
        { delay: 20 },
        { reset: true },
      ],
      'an event': text => [{ status: 200, headers: { 'Content-Type': 'text/event-stream' } }, { raw: `data: {"seen": "${text}` }],
      'the last text of a stream': text => [task('WORKING'), chunk(`echo: ${text.slice(0, 3)}`, first), chunk(text.slice(3))],
      'the last text of a task': text => [task('WORKING'), chunk(`echo: ${text}`, first), status('COMPLETED')],
    }))
      test(`cut at the end of ${place}, ${way}`, async () =>
        assertMasked(await told({ SendStreamingMessage: answer(quote.slice(0, -6)) }), place));
  }

  for (const cut of [1, 2, 19]) {
    test(`in a stream, in pieces of ${cut}`, async () => {
      const pieces = (text: string): readonly string[] => text.match(new RegExp(`[^]{1,${cut}}`, 'gu')) ?? [];
      const all = await told({
        SendStreamingMessage: [
          task('WORKING'),
          chunk('echo: ', first),
          ...pieces(`${token}, ${encodeURIComponent(token)}, ${Buffer.from(token).toString('base64')}.`).map(text => chunk(text)),
          status('COMPLETED'),
        ],
      });
      // What may be an ordinary word is shown until more of it came.
      assert.ok(/echo: (?:canary)?••••••, (?:canary)?••••••, (?:Y2FuY?)?(?:••••••|[4oCi]+={0,2})\./.test(all), /echo[^}]*/.exec(all)?.[0]);
    });
  }

  test('what only looks like a credential of the request stays', async () => {
    const all = await told({
      SendStreamingMessage: [
        task('WORKING', {}, says('m', 'dark acme cookie canary')),
        chunk('cookie-canary-10', first),
        status('COMPLETED'),
      ],
    });
    assert.ok(all.includes('dark acme cookie canary'));
  });

  test('over gRPC, in messages, bytes and refusals', async () => {
    const card = readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings);
    const message = envelope(proto([2, proto([1, 'm'], [2, 'c-1'], [4, 2], [5, proto([1, `token ${token}.`])])]));
    const ok = { 'grpc-status': '0', 'x-seen': 'cookie-canary-1' };
    for (const answer of [
      { head: { 'x-seen': 'cookie-canary-1' }, body: [message], trailers: ok },
      { trailers: { 'grpc-status': '16', 'grpc-message': `no ${encodeURIComponent(token)}` } },
      { body: [envelope(Buffer.from(`\u0007${token}`))], trailers: ok },
    ]) {
      const server = await serveRaw(answer);
      const found = { ...card, supportedInterfaces: [{ url: server.address, protocolBinding: 'GRPC', protocolVersion: '1.0' }] };
      const chosen = chooseInterface(found, 'http://127.0.0.1/card');
      const client = new AgentClient({ card: found, chosen, headers, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
      const log = new WireRecording();
      const outcome: unknown = await client.call('SendMessage', asks('hello'), { log }).catch((error: unknown) => error);
      await server.stop();
      assert.ok(!(outcome instanceof Error) || outcome instanceof Problem, String(outcome));
      const all = JSON.stringify([outcome, outcome instanceof Problem ? [outcome.message, outcome.details] : [], log.exchanges]);
      assert.ok(/•{6}/.test(all) || 'body' in answer, all);
      assertMasked(all, 'what is shown');
      const bytes = log.last.response?.bytes;
      if (bytes !== undefined) assertMasked(Buffer.from(bytes, 'base64').toString('latin1'), 'the bytes');
    }
  });

  test('over gRPC, in pieces', async () => {
    const card = readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings);
    const update = (text: string): Buffer =>
      envelope(proto([4, proto([1, 't'], [2, 'c-1'], [3, proto([1, 'a'], [4, proto([1, text])])], [4, 1])]));
    const server = await serveRaw({ body: ['echo: ', ...`${token}.`.match(/[^]{1,3}/gu)!].map(update), trailers: { 'grpc-status': '0' } });
    const found = {
      ...card,
      capabilities: { ...card.capabilities, streaming: true },
      supportedInterfaces: [{ url: server.address, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    };
    const chosen = chooseInterface(found, 'http://127.0.0.1/card');
    const client = new AgentClient({ card: found, chosen, headers, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
    const log = new WireRecording();
    let text = '';
    for await (const { events } of client.stream('SendStreamingMessage', asks('hello'), { log })) {
      for (const event of events)
        if ('artifactUpdate' in event) text += event.artifactUpdate.artifact.parts.map(part => ('text' in part ? part.text : '')).join('');
    }
    await server.stop();
    assert.equal(text, 'echo: canary••••••.');
    const frames = log.framesOf(log.last.id);
    assert.equal(frames.length, Math.ceil((token.length + 1) / 3) + 1);
    const bytes = frames.map(({ bytes: one = '' }) => Buffer.from(one, 'base64').toString('latin1')).join('');
    assert.deepEqual(
      token.match(/[^]{1,3}/gu)!.filter(piece => bytes.includes(piece)),
      // An ordinary word, so far.
      ['can', 'ary'],
    );
  });

  test('in a card: its text is masked, and its address still leads to the agent', async () => {
    const key = 'tenant-77-key-4711';
    const url = await open.web((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      const address = `http://${request.headers.host}/agents/${key}`;
      response.end(JSON.stringify({ ...minimalCard(address, '1.0'), description: `for ${String(request.headers['x-api-key'])}` }));
    });
    const log = new WireRecording();
    const { card, source } = await resolveAgentCard(url, { http: open.http(), headers: { 'X-Api-Key': key }, log });
    assert.equal(card.description, 'for ••••••');
    assert.ok(card.supportedInterfaces[0]!.url.endsWith(`/agents/${key}`));
    assert.ok(!source.includes(key) && !JSON.stringify(log.exchanges).includes(key));
  });
});
