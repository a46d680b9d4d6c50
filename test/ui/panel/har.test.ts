import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { harText } from '../../../src/request/export/har.ts';
import { exchangeOf } from '../../support/chatHarness/wire.ts';

/** Playwright reads HTTP archives by itself, and answers a page's requests from them: a reader that is not ours. */
suite('HTTP archives, read by a browser', () => {
  let browser: Browser;
  let folder: string;
  suiteSetup(async () => {
    [browser, folder] = await Promise.all([launchChromium(), mkdtemp(join(tmpdir(), 'a2a-har-'))]);
  });
  suiteTeardown(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a page gets the answers of a stream and of a call, as if the agent gave them again', async () => {
    const { shown, frames } = exchangeOf('stream');
    const { body: _body, ...head } = shown.exchange.response!;
    const stream = { ...shown.exchange, response: { ...head, headers: [['content-type', 'text/event-stream'] as const] } };
    const call = {
      ...stream,
      id: 'call',
      request: { ...stream.request, method: 'GET', url: 'http://agent.example/card?x=%20%C3%A9', body: '' },
      response: { status: 404, headers: [['content-type', 'application/json'] as const], body: '{"error":"née"}' },
    };
    const path = join(folder, 'exchanges.har');
    await writeFile(
      path,
      [
        ...harText(
          [
            { exchange: stream, frames },
            { exchange: call, frames: [] },
          ],
          { name: 'A2A Workbench', version: '1' },
        ),
      ].join(''),
    );
    const context = await browser.newContext();
    await context.routeFromHAR(path, { notFound: 'abort' });
    const page = await context.newPage();
    await page.route('http://agent.example/page', route => route.fulfill({ body: '<title>x</title>', contentType: 'text/html' }));
    await page.goto('http://agent.example/page');
    const answers = await page.evaluate(
      async ([url, body, card]) => {
        const read = async (response: Response) => [response.status, response.headers.get('content-type'), await response.text()];
        return [await read(await fetch(url!, { method: 'POST', body: body! })), await read(await fetch(card!))];
      },
      [stream.request.url, stream.request.body, call.request.url],
    );
    assert.deepEqual(answers, [
      [
        200,
        'text/event-stream',
        'data: {"result":{"task":"agent.example"}}\n\nevent: agent.example\nid: agent.example\ndata: agent.example\n\n',
      ],
      [404, 'application/json', '{"error":"née"}'],
    ]);
    await assert.rejects(page.evaluate(() => fetch('http://agent.example/unknown')));
    await context.close();
  });
});
