import * as assert from 'node:assert/strict';
import { ConfiguredHeaders, withConfigured } from '../../../src/client/http/configuredHeaders.ts';
import { trustIn } from '../../../src/client/http/origin.ts';
import { maskedHeaders } from '../../../src/client/wireLog/maskedHeaders.ts';
import { SentCredentials } from '../../../src/client/wireLog/sentCredentials.ts';

suite('configured headers', () => {
  const url = new URL('https://agent.example/');
  const made = (certain: readonly string[]): ConfiguredHeaders =>
    new ConfiguredHeaders(['X-Team'], async ({ origin }) => ({ 'X-Team': origin === url.origin ? 'harbour-7' : '' }), { certain });

  test('a value with a stored secret is masked wherever an agent repeats it, any other of these only in its header', async () => {
    for (const certain of [true, false]) {
      const headers = made(certain ? ['x-TEAM'] : []);
      const sent = await withConfigured(
        [
          ['Accept', 'x'],
          ['x-team', 'own'],
        ],
        headers,
        url,
      );
      assert.deepEqual(sent, [
        ['Accept', 'x'],
        ['X-Team', 'harbour-7'],
      ]);
      assert.deepEqual(maskedHeaders(sent, headers.secret), [
        ['Accept', 'x'],
        ['X-Team', '••••••'],
      ]);
      const said = new SentCredentials(url, sent, headers.secret).mask('{"text":"you are harbour-7"}');
      assert.equal(said, certain ? '{"text":"you are ••••••"}' : '{"text":"you are harbour-7"}');
    }
  });

  test('other ports of the host need no approval only where nothing of the user goes there', () => {
    assert.equal(trustIn(url, new Set()).otherPorts, true);
    assert.equal(trustIn(url, new Set(), {}).otherPorts, true);
    assert.equal(trustIn(url, new Set(), { A: 'b' }).otherPorts, false);
    assert.equal(trustIn(url, new Set(), new ConfiguredHeaders([], async () => ({}), { tls: async () => ({}) })).otherPorts, false);
  });
});
