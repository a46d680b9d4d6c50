import * as assert from 'node:assert/strict';
import { visible, visibleIn, visibleLines, visibleName } from '../../../src/chat/text/visible.ts';
import { jsonText, printable as printed } from '../../../src/cli/terminal/output.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { htmlReport } from '../../../src/conformance/reports/html.ts';
import { checkLinesText } from '../../../src/conformance/reports/jsonLines.ts';
import { junitReport } from '../../../src/conformance/reports/junit.ts';
import { markdownReport } from '../../../src/conformance/reports/markdown.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import type { ContextSummary, Entry } from '../../../src/protocol/message/transcript.ts';
import { harText } from '../../../src/request/export/har.ts';
import { transcriptMarkdown } from '../../../src/store/transfer/transcriptMarkdown.ts';
import { safeFileName } from '../../../src/model/fileNames.ts';
import { controlSequences, steering, turning, unseen, unseenButNeeded } from '../../support/controlSequences.ts';
import { caught, figure } from '../../support/figure.ts';
import '../../support/shimmedVscode.ts';

const { oneLine, escapeIcons, escapeControls, shortTitle, escapeLinks } = await import('../../../src/workbench/platform/untrustedText.ts');
const facts = { at: 1, taskId: 't' };
const entriesOf = (hostile: string): readonly Entry[] => [
  {
    ...facts,
    seq: 1,
    kind: 'message',
    message: {
      messageId: hostile,
      role: 'ROLE_AGENT',
      parts: [
        { text: hostile },
        { data: { [hostile]: [hostile] } },
        { url: `http://127.0.0.1/${hostile}`, filename: hostile, mediaType: hostile },
        { raw: '', filename: hostile },
      ],
    },
  },
  {
    ...facts,
    seq: 2,
    kind: 'status',
    state: 'TASK_STATE_FAILED',
    message: { messageId: 's', role: 'ROLE_AGENT', parts: [{ text: hostile }] },
  },
  {
    ...facts,
    seq: 3,
    kind: 'artifact',
    artifact: { artifactId: hostile, name: hostile, description: hostile, parts: [{ text: hostile }] },
    complete: true,
    chunks: 1,
  },
  {
    ...facts,
    seq: 4,
    kind: 'problem',
    code: 'x',
    sentence: sentence('It says {0}', hostile),
    nextStep: sentence('Do {0}', hostile),
    details: hostile,
  },
];

const reportOf = (hostile: string): CheckReport => ({
  format: 1,
  agent: { name: hostile, version: hostile, url: `http://127.0.0.1/${hostile}`, cardUrl: hostile },
  startedAt: 1,
  endedAt: 2,
  end: 'complete',
  allowWork: false,
  interfaces: [{ protocolBinding: hostile, protocolVersion: hostile, url: hostile, remark: sentence('It says {0}', hostile) }],
  results: [
    {
      rule: 'CORE-11',
      interface: 0,
      level: 'MUST',
      section: '3.1.3',
      clause: 'https://a2a-protocol.org/',
      title: 'T',
      verdict: 'fail',
      why: sentence('It answered {0}', hostile),
      exchangeId: 'e',
      bytes: [0, 1],
    },
  ],
  exchanges: [
    {
      exchange: {
        id: 'e',
        operation: hostile,
        protocolBinding: hostile,
        protocolVersion: hostile,
        startedAt: 1,
        findings: [],
        failure: hostile,
        request: { method: 'POST', url: `http://127.0.0.1/?${hostile}`, headers: [['x', hostile]], body: hostile },
        response: { status: 200, headers: [['x', hostile]], body: hostile },
      },
      frames: [],
    },
  ],
});

/**
 * Everywhere that text of agents, files and people goes out of our hands, but the terminal's commands and the pages, which have tests of
 * their own.
 *
 * Every place that shows or writes text of others has a row.
 */
const sinks: Readonly<Record<string, (hostile: string) => string>> = {
  'labels and descriptions of rows': oneLine,
  'HTTP archives': hostile =>
    [
      ...harText(
        [
          {
            exchange: {
              id: 'e',
              operation: hostile,
              protocolBinding: hostile,
              protocolVersion: hostile,
              startedAt: 1,
              findings: [],
              failure: hostile,
              request: { method: 'POST', url: `http://127.0.0.1/?${hostile}`, headers: [['x', hostile]], body: hostile },
              response: { status: 200, headers: [['x', hostile]], trailers: [['x', hostile]] },
            },
            frames: [{ seq: 0, at: 1, data: hostile, event: hostile, id: hostile }],
          },
        ],
        { name: 'x', version: '' },
      ),
    ].join(''),
  'quick picks and titles': escapeIcons,
  'notifications and dialogs': escapeLinks,
  'the log': escapeControls,
  'titles of rows': text => shortTitle(text),
  'a line in a terminal': printed,
  'JSON in a terminal': text => jsonText({ [text]: [text, { [text]: text }] }),
  'names in a page': visible,
  'names on one line of a page': text => visibleName(text),
  'texts in a page': visibleLines,
  'data in a page': text => JSON.stringify(Object.entries(visibleIn({ [text]: [text] }) as object).flat(2)),
  'a transcript as Markdown': text =>
    [...transcriptMarkdown({ key: 'k', agent: text, title: text, createdAt: 1, updatedAt: 1 } as ContextSummary, entriesOf(text))].join(''),
  'a report of conformance as HTML': text => htmlReport(reportOf(text), english),
  'a report of conformance as Markdown': text => markdownReport(reportOf(text), english),
  'a report of conformance as JUnit': text => junitReport(reportOf(text)),
  'a report of conformance as JSON': text => checkLinesText(reportOf(text)),
  'a name for a file': text => safeFileName(text, 'file'),
};
/** Around it, at the beginning and at the end, twice, and within a word that JSON escapes. */
const around: readonly ((sequence: string) => string)[] = [
  sequence => `a${sequence}b`,
  sequence => sequence,
  sequence => `${sequence}a`,
  sequence => `a${sequence}`,
  sequence => `a${sequence}${sequence}"b\\`,
  sequence => `a \n${sequence}\n b`,
];

const raw = (sink: (hostile: string) => string): readonly string[] =>
  controlSequences.flatMap(sequence =>
    around.flatMap(surround => {
      const shown = sink(surround(sequence));
      return steering.test(shown) || turning.test(shown) ? [JSON.stringify(surround(sequence))] : [];
    }),
  );

suite('control and bidi characters', () => {
  test('none is raw in anything that is shown, logged or exported', () => {
    const found = Object.entries(sinks).flatMap(([name, sink]) => raw(sink).map(sequence => `${name}: ${sequence}`));
    const shown = Object.keys(sinks).length * around.length * controlSequences.length;
    figure(
      'F21',
      { 'sequences shown': shown, 'raw characters': found.length },
      `${controlSequences.length} sequences at ${Object.keys(sinks).length} places, ${shown} times in all; ${found.length} with raw characters`,
    );
    assert.deepEqual(found, []);
    assert.ok(controlSequences.length >= 40);
  });

  test('text that is shown as it came has them all', () => {
    assert.equal(raw(text => text).length, around.length * controlSequences.length);
    caught('F21', 'text that is shown as it came');
  });

  test('nothing that nobody sees is raw in it, either', () => {
    const found = Object.entries(sinks).flatMap(([name, sink]) =>
      unseen
        .filter(character => sink(`a${character}b`).includes(character))
        .map(character => `${name}: U+${character.codePointAt(0)?.toString(16)}`),
    );
    assert.deepEqual(found, []);
  });

  test('joiners and variants of words and emoji stay what they are', () => {
    const { 'a name for a file': _, ...texts } = sinks;
    const torn = Object.entries(texts).flatMap(([name, sink]) =>
      unseenButNeeded.filter(text => !sink(text).includes(text)).map(text => `${name}: ${text}`),
    );
    assert.deepEqual(torn, []);
  });

  test('what is shown still says what was there', () => {
    for (const [name, sink] of Object.entries(sinks)) assert.match(sink('before\u202eafter'), /before.*after/s, name);
  });
});
