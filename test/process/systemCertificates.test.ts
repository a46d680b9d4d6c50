import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ForwardProxy } from '../support/client/forwardProxy.ts';
import { selfSigned } from '../support/client/selfSigned.ts';

/** Of `support/systemRequest.ts`: how a request went in a process whose machine trusts the server's certificate. */
interface Outcome {
  readonly status?: number;
  readonly code?: string;
}

suite("a machine's own certificate authorities", () => {
  const pair = selfSigned();
  let folder: string;
  let server: Server;
  let url: string;
  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-ca-'));
    writeFileSync(join(folder, 'ca.pem'), pair.cert);
    server = createServer(pair, (_request, response) => response.end('ok'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  suiteTeardown(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What `http.systemCertificates` says, and the proxy. The machine's authorities are those that SSL_CERT_FILE names, as OpenSSL does it. */
  function request(systemCertificates: boolean, trusted: boolean, proxy = ''): Promise<Outcome> {
    const script = fileURLToPath(new URL('support/systemRequest.ts', import.meta.url));
    const { SSL_CERT_FILE: _, ...environment } = process.env;
    const env = { ...environment, ...(trusted && { SSL_CERT_FILE: join(folder, 'ca.pem') }) };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [script, url, String(systemCertificates), proxy], { env }, (error, out, err) => {
        if (error) reject(new Error(err));
        else resolve(JSON.parse(out) as Outcome);
      });
    });
  }

  test('are trusted', async () => {
    assert.deepEqual(await request(true, true), { status: 200 });
    assert.deepEqual(await request(true, false), { code: 'tls' });
  });

  test('are not trusted where http.systemCertificates is off', async () => {
    assert.deepEqual(await request(false, true), { code: 'tls' });
  });

  test('are trusted through the tunnel of a proxy', async () => {
    const proxy = new ForwardProxy();
    const address = await proxy.start();
    try {
      assert.deepEqual(await request(true, true, address), { status: 200 });
      assert.deepEqual(await request(false, true, address), { code: 'tls' });
      assert.deepEqual(proxy.tunnels, [new URL(url).host, new URL(url).host]);
    } finally {
      await proxy.stop();
    }
  });
});
