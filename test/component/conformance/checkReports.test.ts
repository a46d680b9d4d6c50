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
import { frontOf } from '../../support/conformance/agent/front.ts';
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
  const fronts: { stop(): Promise<void> }[] = [];
  teardown(async () => {
    for (const front of fronts.splice(0)) await front.stop();
    await open.close();
  });

  async function reportOn(rules: readonly RuleId[], protocolBinding = 'JSONRPC'): Promise<CheckReport> {
    // The agent does not look at the version.
    const front = await frontOf(
      () => agent.url,
      (request, pass) => pass({ headers: { ...request.headers, 'a2a-version': '1.0' } }),
    );
    fronts.push(front);
    const agent = await open.agent(script, '1.0', {
      binding: protocolBinding as 'JSONRPC',
      card: () => ({
        name: 'Checked agent',
        description: 'Is checked.',
        version: '1.0.0',
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
        supportedInterfaces: [{ url: front.url, protocolBinding, protocolVersion: '1.0' }],
      }),
    });
    return checkRun(front.url, open.http(), { rules: new Set(rules), allowWork: true, prompts: { task: [{ text: 'Go' }] } });
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

  test('failures come right after the verdict, with what was expected, what came and the clause; then the rest', async () => {
    const report = await reportOn(['DATA-01', 'RPC-01', 'VER-01']);
    assert.deepEqual(
      report.results.map(({ rule, verdict }) => [rule, verdict]),
      [
        ['VER-01', 'fail'],
        ['RPC-01', 'pass'],
        ['DATA-01', 'fail'],
      ],
    );
    const clause = report.results[2]!.clause;
    const wanted = 'Tasks, messages, artifacts and events have their required members';
    const inOrder = (text: string, parts: readonly string[]): void => {
      let from = 0;
      for (const part of parts) {
        const at = text.indexOf(part, from);
        assert.ok(at >= 0, `${part} should come next in ${text.slice(from)}`);
        from = at + part.length;
      }
    };
    const html = htmlReport(report, english);
    const expected = ['<dt>Expected</dt><dd>', wanted, '<dt>Received</dt><dd>artifactId is missing.', `href="${clause}"`, '<mark'];
    inOrder(html, [
      '2 failed, 1 passed',
      '<h2>Failures',
      'VER-01',
      'DATA-01',
      ...expected,
      '<table>',
      '<h2>Rules',
      '<h2>Other Results',
      'RPC-01',
    ]);
    assert.equal(html.split('<h2>Other Results')[1]?.includes('DATA-01'), false);
    const markdown = markdownReport(report, english);
    inOrder(markdown, [
      ...[
        '**2 failed, 1 passed**',
        '## Failures',
        '### VER-01',
        '### DATA-01',
        `- **Expected:** ${wanted}`,
        '- **Received:** artifactId is',
      ],
      ...['- **Specification:** MUST, [section 4.1](', clause, '⟦', '## Interfaces', '| Level |', '## Rules'],
    ]);
    assert.equal(markdown.match(/^### /gm)?.length, 2);
    assert.doesNotMatch(markdownReport(await reportOn(['RPC-01']), english), /Failures|Other Results|## Results/);
  });

  test('addresses in Markdown are neither links nor broken where they are copied', async () => {
    const report = await reportOn(['RPC-01']);
    const { url } = report.agent;
    const markdown = markdownReport(report, english);
    assert.ok(markdown.includes(`\`${url}\`, `), markdown);
    assert.ok(markdown.includes(`JSONRPC 1.0 \`${url}\``), markdown);
    const named = (name: string): string => markdownReport({ ...report, agent: { ...report.agent, name } }, english).split('\n')[0] ?? '';
    assert.equal(named('See https://evil.example/a_b, now'), '# A2A conformance of See `https://evil.example/a_b`, now 1.0.0');
    assert.equal(named('www.evil.example`|http://x`'), '# A2A conformance of `www.evil.example`&#96;\\|`http://x`&#96; 1.0.0');
    assert.equal(named('a http: //x'), '# A2A conformance of a http&#8203;: //x 1.0.0');
  });

  test('the headers that a rule is about are in its evidence', async () => {
    const report = await reportOn(['VER-01', 'HTTP-01', 'STRM-01']);
    const header = /> a2a-version: (?!1\.0$)\S+$/im;
    for (const text of [specReport(report, { verbose: false }), markdownReport(report, english)]) assert.match(text, header);
    assert.match(junitReport(report), /a2a-version: /i);
    assert.match(htmlReport(report, english), /POST http[^\n]*\na2a-version: /i);
    assert.doesNotMatch(specReport(report, { verbose: true }), /> host: /i);
  });
});
