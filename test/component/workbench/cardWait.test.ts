import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Http } from '../../../src/client/http/http.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { english } from '../../../src/protocol/problem.ts';
import { waitForCard } from '../../../src/workbench/debug/cardWait.ts';
import { eventually } from '../../support/eventually.ts';

suite('the wait for the card of an agent that starts', () => {
  let http: Http;
  let server: Server | undefined;
  let port = 0;
  let said: string[];
  let stop: AbortController;
  setup(async () => {
    http = new Http();
    said = [];
    stop = new AbortController();
    await serve(() => {});
    await close();
  });
  teardown(async () => {
    stop.abort();
    await close();
    await http.close();
  });
  async function serve(listener: RequestListener): Promise<void> {
    server = createServer(listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }
  async function close(): Promise<void> {
    if (server === undefined) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    server = undefined;
  }
  const card: RequestListener = (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(minimalCard(`http://127.0.0.1:${port}`, '1.0')));
  const wait = () =>
    waitForCard(`http://127.0.0.1:${port}`, {
      agents: new Agents({ http }),
      signal: stop.signal,
      say: (what, details = '') => said.push(`${english(what)} ${details}`.trim()),
      pauseMs: 5,
      slowMs: 50,
    });
  const says = (text: RegExp): Promise<void> => eventually(() => assert.match(said.at(-1) ?? '', text), 5_000);

  test('says what is there instead, each once', async () => {
    const waiting = wait();
    await says(/^Connection refused: no server is listening at 127\.0\.0\.1:\d+\.$/);
    await serve((_request, response) => void response.writeHead(404).end());
    await says(/404/);
    await close();
    await says(/^Connection refused/);
    await serve((_request, response) => void response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'));
    await says(/web page|HTML/);
    await close();
    await serve(() => {});
    await says(/ is connected and has not sent its card for 0 seconds\.$/);
    await close();
    await serve(card);
    assert.equal((await waiting)?.agentUrl, `http://127.0.0.1:${port}/`);
    const repeated = said.filter((text, index) => text === said[index - 1]);
    assert.deepEqual(repeated, []);
  });

  test('goes on for a card that is slower than cards may be elsewhere', async () => {
    const held: (() => void)[] = [];
    await serve((request, response) => void held.push(() => card(request, response)));
    const waiting = wait();
    await says(/ is connected/);
    for (const release of held) release();
    assert.notEqual(await waiting, undefined);
  });

  test('ends where the card is for those who are signed in: the agent is there', async () => {
    await serve((_request, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end());
    assert.equal(await wait(), undefined);
  });

  test('ends with its signal', async () => {
    const waiting = wait();
    await says(/^Connection refused/);
    stop.abort();
    await assert.rejects(waiting, { code: 'cancelled' });
  });
});
