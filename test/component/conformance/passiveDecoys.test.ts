import * as assert from 'node:assert/strict';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import type { BindingName } from '../../../src/mock/binding.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { type Finding, findingSentence } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { ruleIds } from '../../../src/protocol/ruleId.ts';
import { rules } from '../../../src/conformance/rules/index.ts';
import { decoys } from '../../support/conformance/decoys.ts';
import type { Decoy } from '../../support/conformance/decoy.ts';
import { leftEnglish } from '../../support/leftEnglish.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

/** The text that the finding points at, in the body or in the event that it names. */
function pointedAt(log: WireRecording, { frame, bytes }: Finding): string {
  const { id, response } = log.last;
  const text = frame === undefined ? (response?.body ?? '') : (log.framesOf(id).find(({ seq }) => seq === frame)?.data ?? '');
  return bytes === undefined
    ? ''
    : Buffer.from(text)
        .subarray(...bytes)
        .toString();
}

async function ask({ asked, script, card }: Decoy, version: string, binding: BindingName): Promise<WireRecording> {
  const right = (url: string): Record<string, unknown> => minimalCard(url, version, binding) as Record<string, unknown>;
  const agent = scriptedAgent({
    version,
    binding,
    script: script?.(version, binding) ?? {},
    card: url => card?.(right(url), version) ?? right(url),
  });
  const http = new Http({ loadObserver });
  const log = new WireRecording();
  await agent.start();
  try {
    const found = await resolveAgentCard(agent.url, { http, ...(asked === 'card' && { log }) });
    if (asked === 'card') return log;
    const client = new AgentClient({
      card: found.card,
      http,
      agentUrl: found.agentUrl,
      chosen: chooseInterface(found.card, found.cardUrl),
    });
    if (asked === 'stream') {
      for await (const _ of client.stream(
        'SendStreamingMessage',
        { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
        { log },
      ));
      return log;
    }
    try {
      await client.call(asked[0], asked[1] as never, { log });
    } catch (error) {
      // What the agent answers is an error on purpose.
      if (!(error instanceof Problem)) throw error;
    }
    return log;
  } finally {
    await agent.stop();
    await http.close();
  }
}

suite('passive checks', () => {
  const cases = decoys.reduce((sum, { versions, bindings = ['JSONRPC'] }) => sum + versions.length * bindings.length, 0);
  for (const decoy of decoys) {
    for (const version of decoy.versions) {
      for (const binding of decoy.bindings ?? ['JSONRPC' as const]) {
        test(`${decoy.rule} and no other: ${decoy.breaks} (${version}, ${binding})`, async () => {
          const log = await ask(decoy, version, binding);
          const { findings } = log.last;
          assert.deepEqual([...new Set(findings.map(({ rule }) => rule))], [decoy.rule], JSON.stringify(findings));
          const [finding] = findings;
          assert.equal(findings.length, 1, JSON.stringify(findings));
          assert.deepEqual(leftEnglish(findingSentence(finding!)), []);
          assert.equal(finding!.times ?? 1, decoy.times ?? 1);
          // What is noted while reading has no place in the text.
          if (finding!.bytes !== undefined || rules[decoy.rule].whileReading !== true) JSON.parse(pointedAt(log, finding!));
        });
      }
    }
  }

  test('every passive check has a decoy in every version that its rule holds for', () => {
    const missing = ruleIds.flatMap(id => {
      const tried = new Set(decoys.filter(({ rule }) => rule === id).flatMap(({ versions }) => versions));
      return rules[id].passive === undefined
        ? []
        : rules[id].versions.filter(version => !tried.has(version)).map(version => `${id} ${version}`);
    });
    assert.deepEqual(missing, unbreakable);
    assert.ok(cases >= 55, `${cases} decoys in their versions and bindings`);
  });
});

/** Where a rule holds and there is nothing yet that breaks it alone. */
const unbreakable: readonly string[] = [
  // 0.3 says which members a signature has; one without them is not read as a signature.
  'SIGN-01 0.3',
  // The statuses of errors are not in 0.3.
  'HTTP-05 0.3',
  // Looked at is what 0.3 alone requires; the rest is noted while answers are read.
  'DATA-01 0.2',
  'DATA-01 0.1',
  // 1.0's rule alone: the older specification requires contextId of every task, which DATA-01 is about.
  'CORE-05 0.3',
  'CORE-09 0.3',
];
