import * as assert from 'node:assert/strict';
import { readFault } from '../../../src/mock/chosenFault.ts';
import { FaultRelay } from '../../../src/model/mocks/faultRelay.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { startSampleAgents, type SampleAgentName, type StartedSampleAgents } from '../../support/sampleAgents.ts';

/** What is said to each sample agent, a line a message. */
const conversations: Readonly<Record<SampleAgentName, readonly string[]>> = {
  Sailboat: ['Generate an image of a sailboat on the ocean.', 'Please modify the sailboat to be red.'],
  Currency: ['How much is 10 USD?', 'in EUR'],
  Helsinki: ["I'd like to book a flight to Helsinki."],
  Writer: ['Write a short text about the sea.'],
  Phrasebook: ['Hello'],
};

suite('a relay with faults in front of an agent', () => {
  const open = new OpenThings();
  let agents: StartedSampleAgents;
  let folder: TerminalFolder;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
    folder = await TerminalFolder.make();
  });
  suiteTeardown(async () => {
    await agents.stop();
    await folder.remove();
  });
  teardown(() => open.close());

  async function relayTo(behind: string): Promise<{ readonly relay: FaultRelay; readonly url: string }> {
    const relay = new FaultRelay(behind, error => assert.fail(error as Error));
    const url = await relay.start();
    open.add(() => relay.stop());
    return { relay, url };
  }

  for (const [name, lines] of Object.entries(conversations) as [SampleAgentName, readonly string[]][])
    test(`${name}: without a fault, everything is as it is without the relay`, async () => {
      const { url } = await relayTo(agents.urls[name]);
      const chat = (address: string) => folder.run(['chat', address], { stdin: lines.join('\n') });
      const [relayed, direct] = [await chat(url), await chat(agents.urls[name])];
      // Bookings are counted.
      const shown = ({ out }: { readonly out: string }): string => out.replace(/HEL-\d+/g, 'HEL');
      assert.deepEqual({ out: shown(relayed), status: relayed.status }, { out: shown(direct), status: direct.status }, relayed.err);
      const card = await folder.run(['card', url, '--json']);
      assert.match(card.out, new RegExp(`"url":"${url}"`));
    });

  for (const [text, status, says] of [
    ['cut=0', 3, /closed the connection before it answered/],
    ['restart=2', 3, /-32001/],
    ['status=429', 3, /HTTP 429/],
    ['repeat-text', 0, /STRM-13/],
    ['last-chunk-replaces', 0, /STRM-08/],
    ['end-twice', 0, /STRM-11/],
  ] as const)
    test(`Writer with ${text}`, async () => {
      const { relay, url } = await relayTo(agents.urls.Writer);
      relay.faults.choose([readFault(text)]);
      const ended = await folder.run(['send', url, conversations.Writer[0]!, '--stream']);
      assert.match(ended.err, says);
      assert.equal(ended.status, status);
      relay.faults.choose([]);
      assert.doesNotMatch((await folder.run(['send', url, conversations.Writer[0]!, '--stream'])).err, says);
    });

  test('extensions reach the agent, a character in two pieces stays one, and a client that leaves is gone for the agent', async () => {
    const left = Promise.withResolvers<void>();
    const message = { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'grüße' }] };
    const bytes = Buffer.from(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message } })}\n\n`);
    const middle = bytes.indexOf('ü') + 1;
    const agent = await open.agent({
      async *SendStreamingMessage({ headers, signal }) {
        assert.equal(headers['a2a-extensions'], 'https://x.test/ext');
        yield { status: 200, headers: { 'content-type': 'text/event-stream' } };
        yield { raw: bytes.subarray(0, middle) };
        yield { delay: 30 };
        yield { raw: bytes.subarray(middle) };
        signal.addEventListener('abort', () => left.resolve(), { once: true });
        yield { stall: true };
      },
    });
    const { url } = await relayTo(agent.url);
    const leaving = new AbortController();
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } };
    const { body } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', 'a2a-extensions': 'https://x.test/ext' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params }),
      signal: leaving.signal,
    });
    let came = '';
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!came.includes('\n\n')) came += (await reader.read()).value ?? assert.fail(came);
    assert.match(came, /grüße/);
    leaving.abort();
    await left.promise;
  });

  test('errors of the agent are its own', async () => {
    const { url } = await relayTo(agents.urls.Currency);
    assert.match((await folder.run(['task', 'get', url, 'nothing'])).err, /TaskNotFound/);
  });

  test('an agent that is gone breaks the connection', async () => {
    const gone = await startSampleAgents({ pace: 0 });
    const errors: unknown[] = [];
    const relay = new FaultRelay(gone.urls.Currency, error => errors.push(error));
    const url = await relay.start();
    open.add(() => relay.stop());
    await gone.stop();
    assert.equal((await folder.run(['send', url, 'How much is 10 USD?'])).status, 3);
    assert.match(String(errors[0]), /fetch failed/);
  });
});
