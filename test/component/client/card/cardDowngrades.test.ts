import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../../src/client/card/agentCardResolver.ts';
import { ConfiguredHeaders } from '../../../../src/client/http/configuredHeaders.ts';
import { minimalCard } from '../../../../src/mock/minimalCard.ts';
import { english, Problem } from '../../../../src/protocol/problem.ts';
import { CertificateAuthority } from '../../../support/client/certificates.ts';
import { OpenThings } from '../../../support/client/openThings.ts';
import { WireRecording } from '../../../support/client/wireRecording.ts';

const newer = '/.well-known/agent-card.json';
const older = '/.well-known/agent.json';

suite('redirects of a card at an address with TLS', () => {
  const open = new OpenThings();
  const authority = new CertificateAuthority('ours');
  const server = authority.issue('server');
  const headers = new ConfiguredHeaders([], async () => ({}), { tls: async () => ({ ca: Buffer.from(authority.cert) }) });
  teardown(() => open.close());

  /** Addresses with and without TLS of one site that redirects as told; everything else there is a card. */
  async function site(redirects: (plain: string) => Readonly<Record<string, string | null>>) {
    const asked: string[] = [];
    const plain = await open.web(({ url = '' }, response) => {
      asked.push(url);
      const location = redirects(plain)[url];
      if (location === null) response.writeHead(404).end();
      else if (location !== undefined) response.writeHead(307, { location }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(minimalCard('/', '1.0')));
    });
    const { url } = await open.tls(plain, { key: server.key, cert: server.cert });
    return { url, plain, asked };
  }
  const resolved = (url: string, log = new WireRecording()) => resolveAgentCard(url, { http: open.http(), headers, log });

  const cases: Readonly<Record<string, (plain: string) => Readonly<Record<string, string | null>>>> = {
    'at once': plain => ({ [newer]: `${plain}card` }),
    'after another redirect with TLS': plain => ({ [newer]: '/two', '/two': '/three', '/three': `${plain}card` }),
    'at the older place': plain => ({ [newer]: null, [older]: `${plain}card` }),
    'at the address itself': plain => ({ [newer]: null, [older]: null, '/': `${plain}card` }),
  };
  for (const [name, redirects] of Object.entries(cases))
    test(`${name} to one without are refused, and say so`, async () => {
      const { url, plain, asked } = await site(redirects);
      const log = new WireRecording();
      await assert.rejects(resolved(url, log), (error: unknown) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, 'redirected');
        assert.equal(
          error.message,
          `The agent card is redirected to ${plain}card, which has no TLS: anyone in between could change the card.`,
        );
        assert.match(english(error.nextStep!), /https:\/\//);
        return true;
      });
      assert.equal(asked.includes('/card'), false);
      assert.ok(log.exchanges.every(({ endedAt }) => endedAt !== undefined));
    });

  test('within TLS are followed, and so are those that begin without', async () => {
    const within = await site(() => ({ [newer]: '/card' }));
    assert.equal((await resolved(within.url)).cardUrl, `${within.url}/card`);
    assert.equal((await resolved(within.plain)).cardUrl, `${within.plain}card`);
  });
});
