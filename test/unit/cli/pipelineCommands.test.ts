import * as assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { github } from '../../../src/cli/run/reporters/github.ts';
import { junit } from '../../../src/cli/run/reporters/junit.ts';
import type { NewReporter } from '../../../src/cli/run/reporters/reporter.ts';
import type { RunResult } from '../../../src/cli/run/reporters/runResult.ts';
import { escapedCode, jsonText, oneLine, Output, printable, quoted } from '../../../src/cli/terminal/output.ts';
import { escapedMarkup } from '../../../src/conformance/reports/escapedMarkup.ts';
import { k6Script } from '../../../src/request/export/k6.ts';
import { placeholder } from '../../../src/request/export/placeholder.ts';
import { joined } from '../../../src/request/text/pieced.ts';

/** What Azure Pipelines and TeamCity read as commands, some of it only once control characters are gone. */
const commands = [
  '##vso[task.prependpath]/evil',
  '##VSO[task.prependpath]/evil',
  '##[error]x',
  "##teamcity[setParameter name='a']",
  '##TeamCity[x]',
  '##v\u0001so[x]',
  '##\u0007[x]',
  '#\u009b#vso[x]',
  '##team\u007fcity[x]',
  '###vso[x]',
];
const isCommand = /##(?:vso|teamcity)?\[/i;

/** Results of a run as a reporter writes them. */
function reported(reporter: NewReporter, words: string): string {
  const lines: string[] = [];
  const { result, end } = reporter(text => lines.push(text), { host: process, output: new Output(process), verbose: true, json: false });
  const failure = { kind: words, message: words, expected: words, actual: words, line: 1, column: 1 };
  const one: RunResult = {
    ...{ file: `${words}.a2a`, name: words, verdict: 'failed', ms: 1, line: 1, column: 1 },
    ...{ failures: [failure], agentSaid: words, agentFailed: false },
  };
  result(one);
  const none = { passed: 0, sent: 0, failed: 1, notRun: 0 };
  end([one], { counts: none, ms: 1 } as Parameters<typeof end>[1]);
  return lines.join('\n');
}

const k6 = (words: string): string =>
  escapedCode(
    k6Script([
      {
        title: words,
        key: words,
        request: {
          method: 'POST',
          url: `http://h/${words}`,
          headers: [[words, words]],
          body: { a: joined([words, placeholder('A'), words]) },
        },
      },
    ]),
  );

/** Everything that writes a text of an agent, or of a file, into other output. */
const writers: Readonly<Record<string, (words: string) => string>> = {
  'quoted text': words => quoted(words),
  'text on one line': oneLine,
  JSON: jsonText,
  'a page or a badge of a check': escapedMarkup,
  'annotations for GitHub': words => reported(github, words),
  JUnit: words => reported(junit, words),
  'a script for k6': k6,
};

suite('commands to CI services in what is written', () => {
  for (const [name, write] of Object.entries(writers))
    test(`${name} has none, printed too`, () => {
      for (const command of commands) {
        const written = write(`a ${command} b`);
        assert.doesNotMatch(written, isCommand, JSON.stringify(command));
        assert.doesNotMatch(printable(written), isCommand, JSON.stringify(command));
        assert.ok(written.length > command.length);
      }
    });

  test('a script for k6 sends the same with its escapes', () => {
    for (const command of [...commands, '\\##vso[x]', '`##[x]${', '\u202e##[\u009b\u2028']) {
      const sent: unknown[] = [];
      const [, body = ''] = /^export default function \(\) \{\n[^\n]*\n([^]*?)\n\}\n/m.exec(k6(command)) ?? [];
      const context = { send: (...given: unknown[]) => sent.push(JSON.parse(JSON.stringify(given))), text: String, __ENV: { A: '-' } };
      runInNewContext(body, context);
      const own = { url: `http://h/${command}`, headers: { [command]: command }, body: { a: `${command}-${command}` } };
      assert.deepEqual(sent, [[command, command, own, {}]]);
      assert.ok(!/\p{Cc}/u.test(k6(command).replaceAll('\n', '')));
    }
  });
});
