import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { cardSigner, type CardSigner, signed } from '../../support/client/cardSigner.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a2a card and signatures', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let signer: CardSigner;
  let folder: string;
  let keys: Server;
  let asked: number;
  let jwks: string;
  suiteSetup(async () => {
    program = await TerminalFolder.make();
    signer = await cardSigner();
    folder = mkdtempSync(join(tmpdir(), 'a2a-keys-'));
    keys = createServer((_, response) => {
      asked++;
      response.end(JSON.stringify({ keys: [signer.jwk] }));
    });
    await new Promise<void>(resolve => keys.listen(0, '127.0.0.1', resolve));
    jwks = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks.json`;
    writeFileSync(join(folder, 'signer.pem'), signer.publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(folder, 'other.json'), JSON.stringify((await cardSigner()).jwk));
  });
  setup(() => {
    asked = 0;
  });
  suiteTeardown(async () => {
    keys.close();
    rmSync(folder, { recursive: true });
    await program.remove();
  });
  teardown(() => open.close());

  const a2a = (args: readonly string[]): Promise<Ended> => program.run(args);
  /** The address of an agent with a card that is made of the smallest one. */
  const agent = async (make: (card: object) => object | Promise<object> = card => card): Promise<string> => {
    let card: object = {};
    const { url } = await open.agent({}, '1.0', { card: () => card });
    card = await make(minimalCard(url, '1.0') as object);
    return url;
  };
  const bySigner = (card: object): Promise<object> => signed(card, signer, { jku: jwks });
  const file = (name: string): string => join(folder, name);

  test('a card that is signed says so on standard error, and the address of its keys is not asked', async () => {
    const url = await agent(bySigner);
    for (const options of [[], ['--json']]) {
      const { status, err, out } = await a2a(['card', url, ...options]);
      assert.equal(status, 0);
      assert.equal(
        err,
        `Signature: Signed, but the key is not trusted. The card itself names ${jwks} for it, which was not fetched.\n` +
          'Signature: name the key that you trust with --trusted-key to have it verified.\n',
      );
      if (options.length > 0) assert.ok(Array.isArray((JSON.parse(out) as { signatures: unknown }).signatures));
      assert.ok(!out.includes('Signature:'));
    }
    assert.equal((await a2a(['card', url, '--raw'])).err, '');
    assert.equal(asked, 0);
  });

  test('a card that is not signed says nothing, unless a key was named', async () => {
    const url = await agent();
    assert.equal((await a2a(['card', url])).err, '');
    const { status, err } = await a2a(['card', url, '--trusted-key', file('signer.pem')]);
    assert.deepEqual([status, err], [1, 'Signature: the card is not signed.\n']);
  });

  test('with the key of the signer, as a file or an address, all is well', async () => {
    const url = await agent(bySigner);
    const byFile = await a2a(['card', url, '--trusted-key', file('signer.pem')]);
    assert.equal(byFile.status, 0);
    assert.match(byFile.err, /^Signature: Signed by .*signer\.pem, verified with the key .* \(ES256\) from .*signer\.pem\.\n$/);
    assert.equal(asked, 0);
    const byAddress = await a2a(['card', url, '--raw', '--trusted-key', jwks]);
    assert.equal(byAddress.status, 0);
    assert.match(byAddress.err, new RegExp(`^Signature: Signed by ${jwks}, verified with the key key-1 `));
    assert.equal(asked, 1);
  });

  test('with another key, or another card, it fails', async () => {
    const url = await agent(bySigner);
    const wrongKey = await a2a(['card', url, '--trusted-key', file('other.json')]);
    assert.equal(wrongKey.status, 1);
    assert.match(wrongKey.err, /^Signature: Signature does not match/);
    const changed = await agent(async card => ({ ...(await bySigner(card)), description: 'Changed' }));
    assert.equal((await a2a(['card', changed, '--trusted-key', jwks])).status, 1);
    const missing = await a2a(['card', await agent(), '--trusted-key', file('missing.pem')]);
    assert.equal(missing.status, 2);
    assert.match(missing.err, /^--trusted-key names a file that does not exist: .*missing\.pem/);
    // Each key that is named is tried.
    assert.equal((await a2a(['card', url, '--trusted-key', file('other.json'), '--trusted-key', file('signer.pem')])).status, 0);
  });

  test('a signature that covers only a part fails where a key was named', async () => {
    const url = await agent(async card => ({ ...(await bySigner(card)), 'x-added': true }));
    const { status, err } = await a2a(['card', url, '--trusted-key', file('signer.pem')]);
    assert.equal(status, 1);
    assert.match(err, /Signed in part by .* added it: \/x-added\./);
  });

  test('an address without TLS is refused', async () => {
    const { status, err } = await a2a(['card', 'localhost:1', '--trusted-key', 'http://keys.example/jwks.json']);
    assert.equal(status, 2);
    assert.match(err, /--trusted-key must be a file or an https URL/);
  });

  test('text of a signature does not control the terminal', async () => {
    const url = await agent(card => signed(card, { ...signer, jwk: { ...signer.jwk, kid: 'a\u001b[2J\nb\u202e' } }));
    const { err } = await a2a(['card', url]);
    assert.ok(!err.includes('\u001b') && !err.includes('\u202e'), JSON.stringify(err));
    assert.ok(
      err.split('\n').every(line => line === '' || /^(?:Signature:| {2}\| )/.test(line)),
      JSON.stringify(err),
    );
  });
});
