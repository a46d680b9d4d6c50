import * as assert from 'node:assert/strict';
import type { AgentTls } from '../../../src/client/http/agentTls.ts';
import { ConfiguredHeaders } from '../../../src/client/http/configuredHeaders.ts';
import { TaskServer } from '../../../src/mock/taskServer.ts';
import { english } from '../../../src/protocol/problem.ts';
import { ruleIds, type RuleId } from '../../../src/protocol/ruleId.ts';
import { rules } from '../../../src/conformance/rules/index.ts';
import { askedRules } from '../../../src/conformance/rules/askedRules.ts';
import { holdsFor } from '../../../src/conformance/rules/rule/rule.ts';
import type { RuleVerdict, SuiteOptions } from '../../../src/conformance/suite.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { CertificateAuthority } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { checked, checkedAt } from '../../support/conformance/agent/checked.ts';
import { conformingAgent, type CheckedBinding, type CheckedVersion } from '../../support/conformance/agent/conformingAgent.ts';
import { caught, figure, sampleOf, seed } from '../../support/figure.ts';
import { otherwise, type ProbeDecoy } from '../../support/conformance/probeDecoy.ts';
import { probeDecoys } from '../../support/conformance/probeDecoys.ts';
import { unbroken } from '../../support/conformance/unbroken.ts';
import { Random } from '../../support/protocol/random.ts';
import type { Verdict } from '../../../src/conformance/rules/rule/verdict.ts';

const versions: readonly CheckedVersion[] = ['1.0', '0.3'];
const bindings: readonly CheckedBinding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const bad: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'disputed']);
const found = (verdicts: readonly RuleVerdict[]): readonly RuleVerdict[] => verdicts.filter(({ verdict }) => bad.has(verdict));
const told = (verdicts: readonly RuleVerdict[]): string[] =>
  verdicts.map(({ rule, verdict, why }) => `${rule} ${verdict}: ${english(why)}`);

/** A decoy in one version over one binding. */
interface Case {
  readonly decoy: ProbeDecoy;
  readonly version: CheckedVersion;
  readonly binding: CheckedBinding;
}

const casesOf = (decoy: ProbeDecoy): readonly Case[] =>
  (decoy.versions ?? versions).flatMap(version =>
    (decoy.bindings ?? bindings)
      .filter(binding => holdsFor(rules[decoy.rule], version, binding))
      .map(binding => ({ decoy, version, binding })),
  );
const cases = probeDecoys.flatMap(casesOf);
/** Those that are asked about every rule: each takes a third of a second of a processor. */
const whole = sampleOf(cases, 0.05);
/** Asked about along with a decoy's own rules: their probes make the agent have tasks, of which others need some. */
const makesTasks: readonly RuleId[] = ['CORE-04', 'CORE-06'];
/** One case of each decoy, in which its own rules alone are asked about: cheap enough for all of them. */
const random = new Random(seed);
const alone = probeDecoys.map(decoy => random.pick(casesOf(decoy)));

const ruleIdsOf = ({ rule, also = [] }: ProbeDecoy): RuleId[] => [rule, ...also].sort();

const verdictsOn = ({ decoy, version, binding }: Case, more: Partial<SuiteOptions> = {}): Promise<readonly RuleVerdict[]> => {
  const { kind = 'full', script, before, card, grpc } = decoy;
  return checked({ version, binding, kind, script, before, card, grpc }, { ...decoy.suite, ...more });
};

/** The rule is broken with the verdict that it should have, no others are but those that break along with it. */
function assertBroken({ decoy }: Case, all: readonly RuleVerdict[]): void {
  const verdicts = found(all);
  assert.deepEqual(
    verdicts.map(({ rule }) => rule).sort(),
    ruleIdsOf(decoy),
    told([...verdicts, ...all.filter(({ rule }) => rule === decoy.rule)]).join('\n'),
  );
  const level = rules[decoy.rule].level;
  const own = verdicts.find(({ rule }) => rule === decoy.rule);
  assert.equal(own?.verdict, decoy.verdict ?? (level.startsWith('MUST') ? 'fail' : 'warn'));
  assert.ok(own.exchangeId !== undefined || decoy.rule.startsWith('SIGN'), 'no exchange');
}

/** Most agents that are checked at a time: they wait for most of theirs. */
const together = 8;

/** What the suite says of each case, the next ones begun while the first are looked at. */
const verdictsOf = (() => {
  const begun = new Map<Case, Promise<readonly RuleVerdict[]>>();
  let next = 0;
  const begin = (): void => {
    const one = whole[next++];
    if (one === undefined) return;
    const running = verdictsOn(one);
    begun.set(one, running);
    running.then(begin, begin);
  };
  return (wanted: Case): Promise<readonly RuleVerdict[]> => {
    while (next < together) begin();
    while (!begun.has(wanted)) begin();
    return begun.get(wanted)!;
  };
})();

suite('decoys of probes', () => {
  for (const version of versions) {
    for (const binding of bindings) {
      for (const kind of ['full', 'bare'] as const) {
        test(`an agent that keeps the rules breaks none (${version}, ${binding}, ${kind})`, async () => {
          const verdicts = await checked({ version, binding, kind });
          // Nobody can say that a binding is spoken nowhere.
          const undecided = verdicts.filter(
            ({ rule, verdict }) => verdict !== 'pass' && verdict !== 'not-applicable' && rule !== 'CARD-08',
          );
          assert.deepEqual(told(undecided), []);
          assert.ok(verdicts.filter(({ verdict }) => verdict === 'pass').length >= (kind === 'full' ? 30 : 20));
        });
      }
    }
  }

  let right = 0;
  suiteTeardown(() =>
    figure(
      'F25',
      { agents: whole.length, 'found otherwise': whole.length - right },
      `${whole.length} agents that break a rule, ${whole.length - right} of which were found to break another or none`,
    ),
  );
  for (const one of whole) {
    const { decoy, version, binding } = one;
    test(`one that ${decoy.breaks} breaks ${decoy.rule} and no other (${version}, ${binding})`, async () => {
      assertBroken(one, await verdictsOf(one));
      right++;
    });
  }

  for (const one of alone) {
    const { decoy, version, binding } = one;
    test(`one that ${decoy.breaks} is found by asking about ${decoy.rule} alone (${version}, ${binding})`, async () => {
      assertBroken(one, await verdictsOn(one, { rules: new Set([...ruleIdsOf(decoy), ...makesTasks]) }));
    });
  }

  test('an agent that breaks nothing is no decoy of any rule', async () => {
    const verdicts = await checked({ version: '1.0', binding: 'JSONRPC', kind: 'full' });
    for (const one of cases) assert.throws(() => assertBroken(one, verdicts), assert.AssertionError, one.decoy.breaks);
    caught('F25', 'an agent that breaks nothing');
  });

  test('each probe has a decoy in each version and binding that its rule holds for, or it is said why not', () => {
    const broken = (rule: RuleId, version: CheckedVersion, binding: CheckedBinding): boolean =>
      cases.some(
        ({ decoy, ...one }) =>
          (decoy.rule === rule || decoy.also?.includes(rule) === true) && one.version === version && one.binding === binding,
      );
    const excused = (rule: RuleId, version: CheckedVersion, binding: CheckedBinding): boolean =>
      unbroken.some(row => row.rule === rule && row.versions?.includes(version) !== false && row.bindings?.includes(binding) !== false);
    const missing = ruleIds
      .filter(id => rules[id].probe !== undefined)
      .flatMap(id =>
        versions.flatMap(version =>
          bindings
            .filter(binding => holdsFor(rules[id], version, binding) && !broken(id, version, binding) && !excused(id, version, binding))
            .map(binding => `${id} ${version} ${binding}`),
        ),
      );
    assert.deepEqual(missing, []);
    const needless = unbroken.filter(({ rule, versions: of = versions, bindings: over = bindings }) =>
      of.every(version => over.every(binding => !holdsFor(rules[rule], version, binding) || broken(rule, version, binding))),
    );
    assert.deepEqual(needless, []);
    console.log(`      ${probeDecoys.length} decoys of ${askedRules.length} probes, ${cases.length} cases of decoy and binding`);
  });
});

suite('agents with several interfaces', () => {
  const closers: (() => Promise<void>)[] = [];
  teardown(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** Two agents of which the card of the first names both. */
  async function two(kind: 'full' | 'bare', other: Partial<ProbeDecoy> = {}): Promise<string> {
    const second = await conformingAgent({ version: '1.0', binding: 'HTTP+JSON', kind, ...other });
    closers.push(() => second.stop());
    const first = await conformingAgent({
      version: '1.0',
      binding: 'JSONRPC',
      kind,
      card: card => ({
        ...card,
        supportedInterfaces: [
          ...(card['supportedInterfaces'] as readonly object[]),
          { url: second.url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        ],
      }),
    });
    closers.push(() => first.stop());
    return first.url;
  }
  const headers = { Authorization: 'Bearer right' };

  test('one that has other tasks behind each breaks EQ-01 and no other', async () => {
    const verdicts = await checkedAt(await two('bare'), { headers });
    assert.deepEqual(
      found(verdicts).map(({ rule, interface: entry }) => [rule, entry.protocolBinding]),
      [
        ['EQ-01', 'JSONRPC'],
        ['EQ-01', 'HTTP+JSON'],
      ],
    );
  });

  test('one that asks for credentials at one alone breaks EQ-02', async () => {
    const opening: Partial<ProbeDecoy> = {
      before: right => (request, pass) =>
        right({ ...request, headers: { ...request.headers, authorization: 'Bearer right' } }, other =>
          pass({ headers: { ...request.headers, authorization: 'Bearer right' }, ...other }),
        ),
    };
    const verdicts = await checkedAt(await two('full', opening), { headers, rules: new Set<RuleId>(['EQ-02']) });
    assert.deepEqual(
      found(verdicts).map(({ rule, interface: entry }) => [rule, entry.protocolBinding]),
      [['EQ-02', 'JSONRPC']],
    );
  });

  test('one that fails where its tenant is named breaks TEN-01', async () => {
    const fails = otherwise('GetTask', () => [{ error: { code: -32602, message: 'No tenants here' } }]);
    for (const script of [fails, undefined]) {
      const agent = await conformingAgent({
        version: '1.0',
        binding: 'JSONRPC',
        kind: 'bare',
        script,
        card: (card, { url }) => ({
          ...card,
          supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' }],
        }),
      });
      closers.push(() => agent.stop());
      const [verdict] = await checkedAt(agent.url, { rules: new Set<RuleId>(['TEN-01']) });
      assert.equal(verdict?.verdict, script === undefined ? 'pass' : 'warn');
    }
  });
});

suite('agents that are checked in another way', () => {
  const open = new OpenThings();
  const closers: (() => Promise<void>)[] = [];
  teardown(async () => {
    for (const close of closers.splice(0)) await close();
    await open.close();
  });

  for (const version of versions) {
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      test(`one without Strict-Transport-Security breaks AUTH-05 (${version}, ${binding})`, async () => {
        const authority = new CertificateAuthority('ours');
        const { key, cert } = authority.issue('server');
        const verdicts: (Verdict | undefined)[] = [];
        for (const header of [undefined, 'max-age=31536000']) {
          let address = '';
          const agent = await conformingAgent({
            version,
            binding,
            kind: 'bare',
            card: card => JSON.parse(JSON.stringify(card).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, address)) as typeof card,
            before: right => async (request, pass) => {
              const answer = await right(request, pass);
              return answer && header !== undefined
                ? { ...answer, headers: { ...answer.headers, 'strict-transport-security': header } }
                : answer;
            },
          });
          closers.push(() => agent.stop());
          const front = await open.tls(agent.url, { key, cert, ALPNProtocols: ['http/1.1'] });
          address = front.url;
          const tls: AgentTls = async () => ({ ca: Buffer.from(authority.cert) });
          const headers = new ConfiguredHeaders([], async () => ({}), { tls });
          const [verdict] = await checkedAt(agent.url, { headers, rules: new Set<RuleId>(['AUTH-05']) });
          verdicts.push(verdict?.verdict);
        }
        assert.deepEqual(verdicts, ['warn', 'pass']);
      });
    }
  }

  for (const version of ['0.2', '0.1']) {
    test(`one of A2A ${version} is asked about what makes sense there`, async () => {
      const server = new TaskServer({
        version: versionOf(version)!,
        work: () => [],
        onError: error => {
          throw error;
        },
      });
      const agent = await open.agent(server.script, version);
      const verdicts = await checkedAt(agent.url);
      assert.deepEqual(
        verdicts.map(({ rule, verdict }) => [rule, verdict]),
        [
          ['CARD-01', 'pass'],
          ['RPC-04', 'pass'],
          ['RPC-05', 'pass'],
          ['RPC-06', 'pass'],
          ['CORE-19', 'not-testable'],
          ['STRM-11', 'not-testable'],
          ...(version === '0.2' ? [['STRM-12', 'not-testable']] : []),
        ],
      );
      // The others of older versions are checked on what comes anyway.
      const passive = ruleIds.filter(
        id => holdsFor(rules[id], version) && (rules[id].passive ?? rules[id].whileReading) !== undefined && rules[id].probe === undefined,
      );
      for (const id of ['CARD-03', 'RPC-01', 'DATA-01'] as const) assert.ok(passive.includes(id), id);
    });
  }
});
