import * as assert from 'node:assert/strict';
import { mask, maskedHeaders, maskedUrl } from '../../../src/client/wireLog/maskedHeaders.ts';

suite('masked headers', () => {
  const secret: ReadonlySet<string> = new Set(['x-tenant']);
  for (const [name, value, shown] of [
    ['Authorization', 'Bearer abc', `Bearer ${mask}`],
    ['authorization', 'basic YTpi', `basic ${mask}`],
    ['Authorization', 'abc def', mask],
    ['Proxy-Authorization', 'Digest x', `Digest ${mask}`],
    ['Set-Cookie', 'a=b; Path=/', mask],
    ['Cookie', 'a=b', mask],
    ['X-API-KEY', 'k', mask],
    ['X-Refresh-Token', 't', mask],
    ['client-secret', 's', mask],
    // What a person has set is masked whatever it is called.
    ['X-Tenant', 'acme', mask],
    ['x-tenant', 'Bearer acme', `Bearer ${mask}`],
    // These ask for a credential.
    ['WWW-Authenticate', 'Bearer realm="x"', 'Bearer realm="x"'],
    ['proxy-authenticate', 'Basic', 'Basic'],
    ['Content-Type', 'application/json', 'application/json'],
    ['X-Mode', 'acme', 'acme'],
  ] as const) {
    test(`${name}: ${value}`, () =>
      assert.deepEqual(
        maskedHeaders(
          [
            ['Accept', '*/*'],
            [name, value],
          ],
          secret,
        ),
        [
          ['Accept', '*/*'],
          [name, shown],
        ],
      ));
  }

  test('in an address the values of credentials, and nothing else', () => {
    for (const [url, shown] of [
      ['https://a.example/x?q=a%20b&page=2', 'https://a.example/x?q=a%20b&page=2'],
      ['https://a.example/x?q=1&api_key=k1&api_key=k2&TOKEN=t#top', 'https://a.example/x?q=1&api_key=masked&TOKEN=masked#top'],
    ] as const)
      assert.equal(maskedUrl(new URL(url)), shown);
  });
});
