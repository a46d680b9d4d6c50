import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { loopbackRedirects } from '../../../src/auth/oauth/loopbackRedirects.ts';
import type { RedirectReceiver } from '../../../src/auth/signInPrompts.ts';

const most = 64;

suite('the page that a browser comes back to', () => {
  const sockets: Socket[] = [];
  let receiver: RedirectReceiver;
  teardown(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await receiver.close();
  });

  /** Connects, and says this much. */
  async function connected(text: string): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
    const socket = connect(Number(new URL(receiver.uri).port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    const closed = new Promise(resolve => socket.once('close', resolve));
    await once(socket, 'connect');
    socket.resume().write(text);
    return { socket, closed };
  }

  for (const [what, text] of [
    ['say nothing', ''],
    ['stop in a line', 'GET /callb'],
    ['stop in the headers', 'GET /callback HTTP/1.1\r\nHost: a\r\n'],
  ] as const)
    test(`connections that ${what} do not keep the browser out for longer than they are waited for`, async () => {
      receiver = await loopbackRedirects({ language: 'en', done: 'done', failed: 'failed' }, 300);
      const received = receiver.received('s', new AbortController().signal);
      const silent = await Promise.all(Array.from({ length: most }, () => connected(text)));
      // One more than there may be is closed at once, whatever it says.
      await (await connected('GET / HTTP/1.1\r\n\r\n')).closed;
      await Promise.all(silent.map(({ closed }) => closed));
      assert.equal(await (await fetch(`${receiver.uri}?state=s&code=c`)).text().then(page => page.includes('done')), true);
      assert.equal((await received).searchParams.get('code'), 'c');
    });
});
