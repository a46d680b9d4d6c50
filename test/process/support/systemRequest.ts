import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { Problem } from '../../../src/protocol/problem.ts';

// One request with what `http.systemCertificates` says: `systemRequest.ts URL true|false [PROXY]`. Prints how it went, as JSON.
const [url = '', systemCertificates, proxy = ''] = process.argv.slice(2);
const http = new Http({
  loadObserver,
  network: async () => ({
    proxyFor: async () => (proxy === '' ? undefined : { url: new URL(proxy), authorization: undefined, strictTls: true }),
    systemCertificates: systemCertificates === 'true',
  }),
});
try {
  const { status } = await http.request({
    method: 'GET',
    url: new URL(url),
    headers: [],
    headersTimeoutMs: 10_000,
    bodyTimeoutMs: 10_000,
    subject: { operation: 'GetAgentCard', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  });
  console.log(JSON.stringify({ status }));
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.log(JSON.stringify({ code: error.code }));
} finally {
  await http.close();
}
