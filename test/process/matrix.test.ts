import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { AgentClient } from '../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../src/client/http/http.ts';
import { loadObserver } from '../../src/conformance/rules/loadedRules.ts';
import { transports } from '../../src/client/interfaces/transports.ts';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../src/protocol/finding.ts';
import { readAgentCard, versions } from '../../src/protocol/versions/index.ts';
import { behaviours, type BehaviourId } from './matrix/behaviours.ts';
import type { MatrixAgent } from './matrix/matrixAgent.ts';
import { caught, figure, full } from '../support/figure.ts';
import { Muted } from './matrix/muted.ts';
import { matrixText, withMatrix } from './matrix/matrixText.ts';
import { rows, type Row } from './matrix/rows.ts';
import { servers } from './matrix/servers.ts';
import { Talk } from './matrix/talk.ts';

const page = new URL('../../docs/compatibility.md', import.meta.url);
const ids = Object.keys(behaviours) as BehaviourId[];

/** The matrix is written: only what has been seen may stand there. */
const writes = process.env['A2A_WRITE'] !== undefined;
/** All rows, or in a sample those with a server or a binding that no row before them has. */
const tried = rows.filter(
  ({ server, binding }, index) =>
    full ||
    writes ||
    !rows.slice(0, index).some(row => row.server === server) ||
    !rows.slice(0, index).some(row => row.binding === binding),
);

/** Every generation over every binding with every server there is: the matrix of docs/compatibility.md. */
suite('matrix', () => {
  const muted = new Muted();
  const agents = new Map<string, Promise<MatrixAgent>>();
  let http: Http;
  let ran = 0;
  let passed = 0;

  suiteSetup(() => {
    http = new Http({ loadObserver });
    // The SDKs write every error they answer to the console.
    muted.start();
  });
  suiteTeardown(async () => {
    muted.stop();
    figure(
      'F28',
      { rows: tried.length, cells: ran, 'cells that are not so': ran - passed },
      `${tried.length} of ${rows.length} rows of the matrix, ${ran} cells, ${ran - passed} of them not so`,
    );
    await http.close();
    for (const agent of agents.values()) await (await agent).stop();
  });

  function agentOf(row: Row): Promise<MatrixAgent> {
    const server = servers[row.server];
    const key = 'perRow' in server ? `${row.generation} ${row.binding}` : row.server;
    const agent = agents.get(key) ?? server.start(row);
    agents.set(key, agent);
    return agent;
  }

  async function talkOf(row: Row): Promise<Talk> {
    const { generation, binding } = row;
    const agent = await agentOf(row);
    const { card, cardUrl, agentUrl } = await resolveAgentCard(agent.url, { http });
    const claimed = row.unclaimed && card.supportedInterfaces.find(entry => entry.protocolBinding === binding)?.url;
    const chosen = chooseInterface(card, cardUrl, { protocolBinding: binding, protocolVersion: generation, url: claimed });
    assert.deepEqual([chosen.transport.protocolBinding, chosen.version.protocolVersion], [binding, generation]);
    // gRPC has a port of its own, which a person has to approve.
    const approvedOrigins = new Set([new URL(chosen.interface.url).origin]);
    return new Talk(
      agent,
      new AgentClient({ card, chosen, http, agentUrl, approvedOrigins }),
      row.data && (text => [{ data: { say: text } }]),
    );
  }

  for (const row of tried) {
    const { generation, binding, server, except = {} } = row;
    suite(`${generation}, ${binding}, ${servers[server].title}`, () => {
      let talk: Talk;
      setup(async () => (talk = await talkOf(row)));
      teardown(function () {
        ran++;
        if (this.currentTest?.state === 'failed') muted.print();
        else {
          passed++;
          muted.forget();
        }
      });

      for (const id of ids) {
        const exception = except[id];
        test(exception === undefined ? behaviours[id].title : `${behaviours[id].title}: ${exception.why}`, async () => {
          await (exception?.instead ?? behaviours[id].run)(talk);
          assert.deepEqual(talk.findings, []);
        });
      }
    });
  }

  const missing = transports.map(transport => ({
    binding: transport.protocolBinding,
    generations: versions.filter(version => !transport.supports(version)).map(({ protocolVersion }) => protocolVersion),
  }));

  for (const { binding, generations } of missing) {
    for (const generation of generations) {
      test(`no ${binding} in ${generation}: the choice of an interface says so`, () => {
        const card = readAgentCard(minimalCard('http://127.0.0.1/', generation), ignoreFindings);
        const supportedInterfaces = card.supportedInterfaces.map(entry => ({ ...entry, protocolBinding: binding }));
        assert.throws(() => chooseInterface({ ...card, supportedInterfaces }, 'http://127.0.0.1/'), { code: 'no-interface' });
      });
    }
  }

  test('a server that answers a message with a task is caught', async () => {
    const row = rows.find(({ generation }) => generation === '0.1')!;
    assert.ok(row.except?.message !== undefined);
    await assert.rejects(behaviours.message.run(await talkOf(row)), assert.AssertionError);
    caught('F28', 'a server that answers a message with a task');
  });

  test('every generation is spoken over every binding it has', () => {
    const spoken = transports.flatMap(transport =>
      versions
        .filter(version => transport.supports(version))
        .map(({ protocolVersion }) => `${protocolVersion} ${transport.protocolBinding}`),
    );
    const shown = new Set(rows.map(({ generation, binding }) => `${generation} ${binding}`));
    assert.deepEqual(
      spoken.filter(pair => !shown.has(pair)),
      [],
    );
  });

  // A suite, because a suite's own tests run before those of the suites inside.
  suite('page', () => {
    test('docs/compatibility.md shows it', function () {
      // Only what has been seen is shown.
      if (passed < tried.length * ids.length) this.skip();
      const text = readFileSync(page, 'utf8');
      // What is no edition of A2A has a binding of its own, which goes without saying.
      const noted = missing
        .filter(({ binding }) => binding !== 'TASK-REST')
        .map(({ binding, generations }) => ({ binding, generations: generations.filter(generation => generation !== 'task-rest') }));
      const wanted = withMatrix(text, matrixText(rows, noted));
      if (writes) return writeFileSync(page, wanted);
      assert.equal(text, wanted, 'A2A_WRITE=1 npm test -- process --grep matrix writes it');
    });
  });
});
