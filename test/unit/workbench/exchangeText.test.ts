import * as assert from 'node:assert/strict';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import { loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import { deliverySentences } from '../../../src/workbench/documents/deliveryText.ts';
import { exchangeText, findingLine, indentedBody } from '../../../src/workbench/documents/exchangeText.ts';
import { findingLines } from '../../../src/workbench/documents/findingLines.ts';

const exchange = (findings: readonly Finding[], more: Partial<Exchange> = {}): Exchange => ({
  id: 'e',
  operation: 'SendMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  startedAt: 1_000,
  request: { method: 'POST', url: 'http://agent/', headers: [['A', 'b']], body: '{"a":1}' },
  findings,
  ...more,
});
const timestamp: Finding = { rule: 'DATA-04', pointer: '/status/timestamp', message: 'It is "yesterday".' };
const hostile: Finding = { rule: 'DATA-01', pointer: '/a\nPOST http://evil/', message: 'line\n# Ended' };

suite('exchange document', () => {
  suiteSetup(() => loadRules());

  test('lists what deviates with rule, level, section, place, title and words', () => {
    const lines = exchangeText({ exchange: exchange([timestamp]), frames: [] }, english).split('\n');
    assert.deepEqual(lines.slice(2, 7), [
      '# Protocol findings: 1',
      '# DATA-04 · MUST · A2A 1.0 §5.6.1',
      '#   Timestamps are ISO 8601 in UTC',
      '#   /status/timestamp · It is "yesterday".',
      '',
    ]);
    assert.equal(lines[7], 'POST http://agent/');
  });

  test('cites the specification of the version in use, or of that which the answer has', () => {
    const one = { ...exchange([timestamp]), protocolVersion: '0.3' };
    const spelled: Finding = { ...timestamp, rule: 'DATA-02' };
    const cited = (own: typeof one): string => exchangeText({ exchange: own, frames: [] }, english).split('\n')[3]!;
    assert.match(cited({ ...one, findings: [spelled] }), /^# DATA-02 · MUST · A2A 0\.3 §/);
    assert.match(cited({ ...one, protocolVersion: '1.0', findings: [{ ...spelled, shape: '0.3' }] }), /A2A 0\.3 §/);
    assert.match(cited({ ...one, protocolVersion: '1.0', findings: [spelled] }), /A2A 1\.0 §/);
    const specifications = ['0.2', '1.0'].map(version => findingLines([spelled], english, version)[0]?.specification);
    assert.deepEqual(specifications, ['0.3', undefined]);
  });

  test('a push notification that was refused may be one of another task, and not of another sender alone', () => {
    const received = { outcome: 'refused', verdicts: [] } as const;
    assert.deepEqual(deliverySentences(received).map(english), [
      'Refused with HTTP 401: its sender or its task does not match the configuration.',
    ]);
  });

  test('each finding is counted, and stands at its rule', () => {
    const lines = exchangeText({ exchange: exchange([timestamp, hostile, { ...timestamp, pointer: '/b' }]), frames: [] }, english).split(
      '\n',
    );
    assert.equal(lines[2], '# Protocol findings: 3');
    assert.deepEqual(lines.slice(3, 8), [
      '# DATA-04 · MUST · A2A 1.0 §5.6.1',
      '#   Timestamps are ISO 8601 in UTC',
      '#   /status/timestamp · It is "yesterday".',
      '#   /b · It is "yesterday".',
      '',
    ]);
  });

  test('a finding about the whole has no pointer before it, and credentials are not called accepted', () => {
    const whole: Finding = { rule: 'AUTH-02', pointer: '', message: 'HTTP 401 without WWW-Authenticate.' };
    const refused = { ...exchange([whole]), satisfies: { schemes: ['k'], identity: 'default' } };
    assert.deepEqual(exchangeText({ exchange: refused, frames: [] }, english).split('\n').slice(3, 8), [
      '# AUTH-02 · SHOULD · A2A 1.0 §7.4',
      '#   An HTTP 401 names the authentication scheme that it requires',
      '#   HTTP 401 without WWW-Authenticate.',
      '',
      '# Carries the credential for the security requirement "k".',
    ]);
  });

  test('every finding is at the line of its rule, whatever the agent wrote', () => {
    const findings = [timestamp, hostile, { ...timestamp, rule: 'GONE-99' as Finding['rule'] }, timestamp];
    const lines = exchangeText({ exchange: exchange(findings), frames: [] }, english).split('\n');
    assert.deepEqual(
      findings.map((_, index) => lines[findingLine(findings, index)]?.split(' ')[1]),
      findings.map(({ rule }) => rule),
    );
    assert.deepEqual(
      lines.filter(line => line.startsWith('POST')),
      ['POST http://agent/'],
    );
  });

  test('request, response, events and the end are there, in the language of the workbench', () => {
    const text = exchangeText(
      {
        exchange: exchange([], {
          headersAt: 1_002.5,
          endedAt: 1_010,
          failure: 'cut\noff',
          response: { status: 200, headers: [], body: '{"b":2}', truncated: true },
        }),
        frames: [{ seq: 0, at: 1_004, data: 'x\ny', event: 'e', id: '7' }],
      },
      what => `<${english(what)}>`,
    );
    for (const wanted of [
      'POST http://agent/\nA: b\n\n{\n  "a": 1\n}',
      '# <Response after 2.5 ms>\nHTTP 200',
      '"b": 2',
      '# <The body was longer than the limit and is cut off here.>',
      '# <Event 0 after 4.0 ms>\nevent: e\nid: 7\ndata: x\ndata: y',
      '# cut off',
      '# <Ended after 10.0 ms>',
    ])
      assert.ok(text.includes(wanted), wanted);
    assert.ok(!text.includes('Deviations'));
    const failed = exchange([], { endedAt: 1_010, failure: 'Cut.', failureSentence: sentence('Cut.') });
    assert.match(
      exchangeText({ exchange: failed, frames: [] }, what => `<${english(what)}>`),
      /^# <Cut\.>$/m,
    );
  });

  test('an event is as it came, and a body that came compressed says so', () => {
    const coded = { coding: 'gzip', came: 10, became: 20 };
    const text = exchangeText(
      {
        exchange: exchange([], { response: { status: 200, headers: [['Content-Encoding', 'gzip']], coded } }),
        frames: [{ seq: 0, at: 1_004, data: '{}', id: '7', around: ['id: 7\r\n: c\r\ndata:', '\r\n'] }],
      },
      english,
    );
    assert.ok(text.includes('ms\nid: 7\n: c\ndata:{}\n\n#'), text);
    assert.ok(text.includes('Content-Encoding: gzip\n# Compressed with gzip: 10 bytes received, 20 bytes decompressed.\n'), text);
  });
});

suite('readable body', () => {
  suiteSetup(() => loadRules());

  const table: Readonly<Record<string, readonly [body: string, shown: string]>> = {
    'a number keeps its digits, a name that is there twice stays': [
      '{"id":12345678901234567890,"a":1.0,"a":2}',
      '{\n  "id": 12345678901234567890,\n  "a": 1.0,\n  "a": 2\n}',
    ],
    'what is not JSON stands as it was': ['{"id":', '{"id":'],
    nothing: ['', ''],
  };
  for (const [name, [body, shown]] of Object.entries(table)) test(name, () => assert.equal(indentedBody(body), shown));
});

suite('finding lines', () => {
  suiteSetup(() => loadRules());

  test('two texts on one rule are two lines, with the events of each', () => {
    const state = (frame: number, name: string): Finding => ({
      rule: 'DATA-02',
      pointer: '',
      frame,
      message: `"${name}" is not a task state.`,
    });
    const lines = findingLines([state(0, 'ALMOST'), state(1, 'done'), state(2, 'ALMOST')], english);
    assert.deepEqual(
      lines.map(({ message, times, events }) => [message, times, events]),
      [
        ['"ALMOST" is not a task state.', 2, [0, 2]],
        ['"done" is not a task state.', 1, [1]],
      ],
    );
  });

  test('one text on one rule is one line, and its first finding stands for the others', () => {
    const lines = findingLines([{ ...timestamp, times: 3 }, hostile, { ...timestamp, pointer: '/other' }], english);
    assert.deepEqual(
      lines.map(({ rule, times, finding, pointer, section, level }) => [rule, times, finding, pointer, section, level]),
      [
        ['DATA-04', 4, 0, '/status/timestamp', '5.6.1', 'MUST'],
        ['DATA-01', 1, 1, '/a\nPOST http://evil/', '4.1', 'MUST'],
      ],
    );
  });

  test('a rule of another version of the product, and a name of every object, have no title', () => {
    for (const rule of ['GONE-99', 'constructor', '__proto__']) {
      assert.deepEqual(
        findingLines([{ ...timestamp, rule: rule as Finding['rule'] }], english).map(({ title, section }) => [title, section]),
        [['', undefined]],
      );
    }
  });

  test('texts of events that came too late are texts of one line, at most ten', () => {
    const late = { ...timestamp, ignoredText: 'too late' };
    const lines = findingLines([late, timestamp, { ...late, ignoredText: 'again' }, hostile], english);
    assert.deepEqual(
      lines.map(({ ignoredTexts }) => ignoredTexts),
      [['too late', 'again'], undefined],
    );
    assert.equal(
      findingLines(
        Array.from({ length: 100 }, () => late),
        english,
      )[0]?.ignoredTexts?.length,
      10,
    );
  });

  test('what an agent wrote is cut', () => {
    const long = 'x'.repeat(10_000);
    const [line] = findingLines([{ ...timestamp, message: long, pointer: '/'.repeat(10_000), ignoredText: long }], english);
    assert.deepEqual([line?.message.length, line?.pointer.length, line?.ignoredTexts?.[0]?.length], [500, 500, 500]);
  });
});
