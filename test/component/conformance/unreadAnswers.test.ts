import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { outcomeOf } from '../../../src/conformance/checkSummary.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { checked } from '../../support/conformance/agent/checked.ts';
import { checkRun } from '../../support/conformance/checkRun.ts';
import { answering, otherwise } from '../../support/conformance/probeDecoy.ts';

type Binding = 'JSONRPC' | 'HTTP+JSON';
const bindings: readonly Binding[] = ['JSONRPC', 'HTTP+JSON'];
const words = 'Ä €';

suite('answers that are not what they should be', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  interface Odd {
    readonly answer: (response: ServerResponse, text: string) => void;
    readonly card?: (response: ServerResponse, text: string) => void;
    /** Instead of its own. */
    readonly address?: string;
  }

  const asJson = (response: ServerResponse, text: string): void => void response.setHeader('content-type', 'application/json').end(text);

  /** Checks an agent that has no task, answers in its own way, and streams whatever it answers. */
  async function report(protocolBinding: Binding, rules: readonly RuleId[], odd: Odd): Promise<CheckReport> {
    const url = await open.web((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.url?.includes('/.well-known/') === true) {
          const card = {
            name: `Odd ${words}`,
            description: 'Is checked.',
            version: '1.0.0',
            capabilities: { streaming: true },
            defaultInputModes: ['text/plain'],
            defaultOutputModes: ['text/plain'],
            skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'] }],
            supportedInterfaces: [{ url: odd.address ?? `http://${request.headers.host}/a`, protocolBinding, protocolVersion: '1.0' }],
          };
          return (odd.card ?? asJson)(response, JSON.stringify(card));
        }
        const { id } = JSON.parse(body || '{}') as { readonly id?: unknown };
        const error = { code: -32001, message: words };
        const page = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0, words };
        odd.answer(response, JSON.stringify(protocolBinding === 'JSONRPC' ? { jsonrpc: '2.0', id, error } : page));
      });
    });
    return checkRun(url, open.http(), { rules: new Set(rules), allowWork: true, prompts: { task: [{ text: 'Go' }] } });
  }

  const verdictOf = ({ results }: CheckReport, rule: RuleId): string => results.find(each => each.rule === rule)?.verdict ?? 'none';
  const whyOf = ({ results }: CheckReport, rule: RuleId): string => {
    const result = results.find(each => each.rule === rule);
    return result === undefined ? '' : english(result.why);
  };

  const byteByByte = (response: ServerResponse, bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; at++) response.write(bytes.subarray(at, at + 1));
    response.end();
  };
  const bodies: readonly (readonly [
    what: string,
    is: string,
    coding: string | undefined,
    send: (to: ServerResponse, text: string) => void,
  ])[] = [
    ['UTF-8 in pieces', 'pass', undefined, (to, text) => byteByByte(to, Buffer.from(text))],
    ['Latin-1', 'fail', undefined, (to, text) => to.end(Buffer.from(text, 'latin1'))],
    ['Latin-1 in pieces', 'fail', undefined, (to, text) => byteByByte(to, Buffer.from(text, 'latin1'))],
    [
      'a cut character',
      'fail',
      undefined,
      (to, text) => to.end(Buffer.from(Buffer.from(text).toString('latin1').replace('\u0082', ''), 'latin1')),
    ],
    ['plain text that says gzip', 'fail', 'gzip', (to, text) => to.end(text)],
    ['plain text that says br', 'fail', 'br', (to, text) => to.end(text)],
    ['plain text that says identity', 'pass', 'identity', (to, text) => to.end(text)],
    ['gzip', 'pass', 'gzip', (to, text) => to.end(gzipSync(text))],
    ['gzip in pieces', 'pass', 'gzip', (to, text) => byteByByte(to, gzipSync(text))],
  ];
  for (const [what, verdict, coding, send] of bodies) {
    for (const binding of bindings)
      test(`an answer of ${what} over ${binding}`, async () => {
        const rule = binding === 'JSONRPC' ? 'RPC-01' : 'HTTP-06';
        const found = await report(binding, [rule, 'CORE-11', 'LIST-01'], {
          answer: (response, text) => {
            if (coding !== undefined) response.setHeader('content-encoding', coding);
            response.setHeader('content-type', 'application/json');
            send(response, text);
          },
        });
        // Over HTTP+JSON it is asked about streams, of which there is none.
        if (verdict === 'fail' || binding === 'JSONRPC') assert.equal(verdictOf(found, rule), verdict, whyOf(found, rule));
        else assert.notEqual(verdictOf(found, rule), 'fail', whyOf(found, rule));
        if (verdict === 'fail')
          assert.match(whyOf(found, rule), coding === undefined ? /not UTF-8/ : new RegExp(`compressed \\(${coding}\\)`));
      });

    test(`a stream of ${what}`, async () => {
      const found = await report('JSONRPC', ['RPC-01', 'STRM-02'], {
        answer: (response, text) => {
          if (coding !== undefined) response.setHeader('content-encoding', coding);
          response.setHeader('content-type', 'text/event-stream');
          send(response, `data: ${text}\n\n`);
        },
      });
      // Nothing in it is a result.
      assert.equal(verdictOf(found, 'RPC-01'), verdict === 'pass' ? 'not-testable' : verdict, whyOf(found, 'RPC-01'));
    });

    if (coding === undefined)
      test(`a card of ${what}`, async () => {
        const found = await report('JSONRPC', ['CARD-01'], {
          answer: asJson,
          card: (response, text) => {
            response.setHeader('content-type', 'application/json');
            send(response, text);
          },
        });
        assert.equal(verdictOf(found, 'CARD-01'), verdict, whyOf(found, 'CARD-01'));
      });
  }

  test('an answer that ends in the middle is told as that', async () => {
    for (const binding of bindings) {
      const found = await report(binding, ['LIST-01'], { answer: (response, text) => asJson(response, text.slice(0, 30)) });
      assert.equal(whyOf(found, 'LIST-01'), "The agent's answer ends in the middle of its JSON.");
    }
  });

  for (const type of ['text/html', 'text/plain; charset=utf-8', 'application/json', 'application/a2a+json'])
    test(`a card that comes as ${type} is read`, async () => {
      const found = await report('JSONRPC', ['CARD-01', 'CARD-02'], {
        answer: asJson,
        card: (response, text) => void response.setHeader('content-type', type).end(text),
      });
      assert.equal(verdictOf(found, 'CARD-01'), 'pass');
      assert.equal(verdictOf(found, 'CARD-02'), type.startsWith('text/') ? 'warn' : 'pass', whyOf(found, 'CARD-02'));
    });

  test('a web page is no card', async () => {
    const card = (response: ServerResponse): void => void response.setHeader('content-type', 'text/html').end('Welcome');
    await assert.rejects(
      report('JSONRPC', ['CARD-01'], { answer: asJson, card }),
      (error: unknown) => error instanceof Problem && error.code === 'html-instead-of-card',
    );
  });

  for (const [status, body] of [
    [404, '<p>Not here</p>'],
    [405, ''],
    [404, '{"error":{"code":404,"status":"NOT_FOUND","message":"not here"}}'],
    [404, '{"detail":"Not Found"}'],
  ] as const)
    test(`an interface that answers everything with ${status} ${body} is not where the card says`, async () => {
      for (const binding of bindings) {
        const found = await report(binding, ['CARD-06', 'CARD-07', 'CORE-11'], {
          answer: response => void response.writeHead(status).end(body),
        });
        assert.equal(verdictOf(found, 'CARD-06'), 'fail', whyOf(found, 'CARD-06'));
        if (binding === 'JSONRPC') assert.equal(verdictOf(found, 'CARD-07'), 'inconclusive');
        assert.match(
          whyOf(found, 'CARD-06'),
          new RegExp(`^The agent is not at http://.*: requests there are answered with HTTP ${status}\\.$`),
        );
        assert.equal(outcomeOf(found), 'broken');
      }
    });

  test('an error of HTTP 200 that names none of A2A comes with the wrong status', async () => {
    const body = '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"id is required"}}';
    const found = await report('HTTP+JSON', ['HTTP-05', 'HTTP-04'], { answer: response => asJson(response, body) });
    assert.deepEqual([verdictOf(found, 'HTTP-05'), verdictOf(found, 'HTTP-04')], ['fail', 'pass']);
    assert.equal(whyOf(found, 'HTTP-05'), 'An error should not come with HTTP 200.');
  });

  test('an interface that nothing can be connected to is not where the card says', async () => {
    for (const binding of bindings) {
      const found = await report(binding, ['CARD-06', 'CORE-11'], { answer: asJson, address: `http://${await open.deadPort()}/` });
      assert.deepEqual([verdictOf(found, 'CARD-06'), verdictOf(found, 'CORE-11')], ['fail', 'inconclusive']);
      assert.match(whyOf(found, 'CARD-06'), /cannot be connected to\./);
      assert.equal(outcomeOf(found), 'broken');
    }
  });

  const told = async (rule: RuleId, script: Parameters<typeof checked>[0]['script']): Promise<string> => {
    const verdicts = await checked({ version: '1.0', binding: 'JSONRPC', kind: 'full', script }, { rules: new Set([rule]) });
    const { verdict, why } = verdicts.find(each => each.rule === rule)!;
    return `${verdict}: ${english(why)}`;
  };
  const isKnown = { status: 500, headers: { 'content-type': 'text/plain' } };
  for (const [what, rule, script, why] of [
    [
      'HTTP 500',
      'CORE-12',
      otherwise('GetTask', () => [isKnown, { raw: 'boom' }]),
      /^fail: It answered no readable error \(HTTP 500\); it should/,
    ],
    [
      'a web page of HTTP 500',
      'CORE-12',
      otherwise('GetTask', () => [{ ...isKnown, headers: { 'content-type': 'text/html' } }, { raw: '<p>boom' }]),
      /^fail: It answered a web page \(HTTP 500\); it should/,
    ],
    [
      'an envelope without anything',
      'CORE-12',
      otherwise('GetTask', () => [{ raw: '{"jsonrpc":"2.0","id":1}' }]),
      /^fail: It answered neither a result nor an error \(HTTP 200\); it should/,
    ],
    [
      'a task without a state',
      'CORE-02',
      answering('SendMessage', ({ task }) => ({ task: { ...task, status: {} } })),
      /^inconclusive: No readable answer or event had the state of the task\.$/,
    ],
    [
      'a stream that cannot be read',
      'STRM-06',
      otherwise('SubscribeToTask', (request, right) => subscribed(right(request))),
      /^inconclusive: The stream had no readable event\.$/,
    ],
  ] as const)
    test(`what came is said of ${what}`, async () => {
      assert.match(await told(rule, script), why);
    });
});

type Steps = ReturnType<Parameters<Parameters<typeof otherwise>[1]>[1]>;

/** The steps of a subscription that is refused; of another, an event that is no JSON. */
async function* subscribed(steps: Steps): AsyncGenerator<never> {
  for await (const step of steps) {
    if ('error' in step) {
      yield step as never;
      continue;
    }
    yield { status: 200, headers: { 'content-type': 'text/event-stream' } } as never;
    yield { raw: 'data: {\n\n' } as never;
    return;
  }
}
