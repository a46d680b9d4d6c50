import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { settingsFile } from '../../../src/request/values/settingsFile.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { answer, json } from '../../support/auth/canaries/canaryAttacks.ts';
import { SecretFinder } from '../../support/auth/canaries/secretFinder.ts';
import { crashPlace, panelPlace, requestPlaces } from '../../support/auth/canaries/shownPlaces.ts';
import { CertificateAuthority, pfx } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import type { TlsInFront } from '../../support/client/tlsInFront.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { fast } from '../../support/model/world.ts';
import '../../support/shimmedVscode.ts';

const { Drafts } = await import('../../../src/workbench/chat/drafts/drafts.ts');
const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');

/** One for each place that it may come from: what is masked once is masked in the whole window. */
const passphrases = { secret: 'Kz9/pass"phrase+<of>& a PFX ü', env: 'Kz8 another"phrase/<of>& a PFX' } as const;

suite('the passphrase of a client certificate', () => {
  const open = new OpenThings();
  const folder = mkdtempSync(join(tmpdir(), 'a2a-passphrase-'));
  const authority = new CertificateAuthority('ours');
  const server = authority.issue('server');
  let front: TlsInFront;
  suiteSetup(async () => {
    const alice = authority.issue('alice');
    for (const [name, bytes] of [
      ['ca.pem', authority.cert],
      ['alice-secret.p12', pfx(alice, passphrases.secret)],
      ['alice-env.p12', pfx(alice, passphrases.env)],
      ['other.p12', pfx(alice, 'another')],
    ] as const)
      writeFileSync(join(folder, name), bytes);
    const behind = await open.web((request, response) => {
      let body = '';
      request.on('data', chunk => (body += String(chunk)));
      request.on('end', () =>
        json(response, request.method === 'GET' ? minimalCard(front.url, '1.0') : answer((JSON.parse(body) as { id: unknown }).id, 'fine')),
      );
    });
    front = await open.tls(behind.slice(0, -1), {
      key: server.key,
      cert: server.cert,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
  });
  suiteTeardown(async () => {
    await open.close();
    rmSync(folder, { recursive: true });
  });

  for (const from of ['secret', 'env'] as const)
    for (const fits of [true, false])
      test(`of {{$${from} P}} is shown, kept and logged nowhere, where it ${fits ? 'fits' : 'does not fit'}`, async () => {
        const passphrase = passphrases[from];
        const file = fits ? `alice-${from}.p12` : 'other.p12';
        const kept = mkdtempSync(join(folder, 'kept-'));
        const defects: unknown[] = [];
        const onError = (error: unknown): void => void defects.push(error);
        const agents = new Agents({
          http: open.http(),
          onError,
          values: {
            env: () => passphrase,
            secret: async () => passphrase,
            onUse: (_name, value) => secretsToMask.add(value),
            origins: new SecretOrigins(),
            file: settingsFile,
          },
        });
        agents.configure({
          Staff: { url: front.url, tls: { ca: join(folder, 'ca.pem'), pfx: join(folder, file), passphrase: `{{$${from} P}}` } },
        });
        const store = openStore(join(kept, 'history.db'));
        const contexts = new AgentContexts({ store, agents, owner: 'test', timing: fast, onError });
        const drafts = new Drafts(Uri.file(join(kept, 'drafts')) as never, () => true);
        const agent = agents.get('Staff')!;
        await agent.check();
        const context = contexts.create('Staff');
        await context.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
        const model = { agents, contexts, drafts };
        const places = {
          ...(await requestPlaces('Staff', model)),
          panel: await panelPlace(context, model),
          crash: await crashPlace([passphrase]),
          problem: JSON.stringify([agent.problem?.message, agent.problem?.details, agent.diagnosis]),
          exported: [...store.export.lines(undefined, { wire: true })].join('\n'),
        };
        context.dispose();
        contexts.dispose();
        store.close();
        agents.dispose();
        const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter(each => statSync(join(kept, each)).isFile());
        const finder = new SecretFinder();
        finder.add(passphrase, 'passphrase');
        for (const [place, text] of [
          ...Object.entries(places),
          ...files.map(each => [each, readFileSync(join(kept, each), 'latin1')] as const),
        ])
          assert.deepEqual([...finder.in(text)], [], place);
        assert.deepEqual(defects, []);
        assert.equal(front.clients.at(-1) === 'alice' && agent.problem === undefined, fits, agent.problem?.message);
        if (!fits) assert.match(places.problem, /Wrong passphrase for the PFX file/);
      });
});
