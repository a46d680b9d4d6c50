import * as assert from 'node:assert/strict';
import { specReport } from '../../../src/cli/check/specReport.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { evidenceFor } from '../../../src/conformance/reports/checkEvidence.ts';
import { htmlReport } from '../../../src/conformance/reports/html.ts';
import { junitReport } from '../../../src/conformance/reports/junit.ts';
import { markdownReport } from '../../../src/conformance/reports/markdown.ts';
import type { Script } from '../../../src/mock/script.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { checkRun } from '../../support/conformance/checkRun.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { statusUpdate, task } from '../../support/client/says.ts';

const notFound = [{ error: { code: -32001, message: 'Task not found' } }] as const;
/** Its third event has an artifact without an id, as the specification wants it (A2A 1.0 §4.1.7). */
const script: Script = {
  GetTask: notFound,
  SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }],
  SendStreamingMessage: [
    { event: { task: task('TASK_STATE_WORKING') } },
    { event: statusUpdate('TASK_STATE_WORKING') },
    {
      event: { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { parts: [{ text: 'ßquill' }] } as never } },
    },
    { event: statusUpdate('TASK_STATE_COMPLETED') },
  ],
  SubscribeToTask: notFound,
};

suite('reports of conformance', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  async function reportOn(rules: readonly RuleId[], protocolBinding = 'JSONRPC'): Promise<CheckReport> {
    const agent = await open.agent(script, '1.0', {
      binding: protocolBinding as 'JSONRPC',
      card: url => ({
        name: 'Checked agent',
        description: 'Is checked.',
        version: '1.0.0',
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
        supportedInterfaces: [{ url, protocolBinding, protocolVersion: '1.0' }],
      }),
    });
    return checkRun(agent.url, open.http(), { rules: new Set(rules), allowWork: true, prompts: { task: [{ text: 'Go' }] } });
  }

  for (const [binding, pointer] of [
    ['JSONRPC', '/result/artifactUpdate/artifact/artifactId'],
    ['HTTP+JSON', '/artifactUpdate/artifact/artifactId'],
  ] as const)
    test(`what an event of a stream broke is told with the event, its place and its bytes: ${binding}`, async () => {
      const report = await reportOn(['DATA-01'], binding);
      const [result] = report.results;
      assert.deepEqual([result?.verdict, result?.frame, result?.pointer], ['fail', 2, pointer]);
      // What is missing should be in the artifact.
      assert.equal(evidenceFor(report, result!)?.marked?.marked, '{"parts":[{"text":"ßquill"}]}');
      const place = `event 3 of the stream, at ${pointer}`;
      const spec = specReport(report, { verbose: false });
      assert.ok(spec.includes(`        ${place}:\n`), spec);
      assert.ok(spec.includes('"artifact":»{"parts":[{"text":"ßquill"}]}«'), spec);
      assert.ok(htmlReport(report, english).includes(place));
      assert.match(htmlReport(report, english), /<mark title="bytes \d+ to \d+">\{&quot;parts/);
      assert.ok(markdownReport(report, english).includes(place));
      assert.ok(junitReport(report).includes(place));
    });
});
