import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { controlSequences, steering, turning } from '../../support/controlSequences.ts';
import { figure } from '../../support/figure.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

/** Every sequence; the first clears the screen, sets the title of the window, goes back in the line, and turns the rest of it around. */
const hostile = 'a\u001b[2J\u001b]0;owned\u0007b\rc\u009b31md\u202ee\u2066f\u200fg\u007fh' + controlSequences.join('i');

suite('characters that agents send to a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  /** The body holds the characters themselves: JSON does not allow those below U+0020 in a text, so they stand between members. */
  const body = `{"jsonrpc":"2.0",\u001b[2J"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"d\u202ee\u009b31m"}]}}}`;
  const answers: Script = {
    SendMessage: [
      {
        answer: {
          task: task('TASK_STATE_FAILED', {
            status: { state: 'TASK_STATE_FAILED', message: says(hostile) },
            artifacts: [
              {
                artifactId: 'x',
                parts: [{ text: hostile }, { data: { [hostile]: hostile } }, { raw: 'AAAA', filename: hostile, mediaType: hostile }],
              },
            ],
          }),
        },
      },
    ],
    SendStreamingMessage: [
      { event: { task: task('TASK_STATE_SUBMITTED') } },
      { event: chunk(hostile, false, true) },
      { event: statusUpdate('TASK_STATE_COMPLETED', says(hostile)) },
    ],
  };

  const commands: Readonly<Record<string, (url: string) => readonly string[]>> = {
    'an answer': url => ['send', url, 'x'],
    'a stream': url => ['send', url, 'x', '--stream'],
    'an answer as JSON': url => ['send', url, 'x', '--json'],
    'a stream as JSON': url => ['send', url, 'x', '--stream', '--json'],
    'a run': () => ['run', 'x.a2a'],
    'a run as JUnit': () => ['run', 'x.a2a', '--reporter', 'junit'],
    'a run as JSON': () => ['run', 'x.a2a', '--reporter', 'json'],
    'an error of a file': () => ['run', 'wrong.a2a'],
  };
  for (const [title, args] of Object.entries(commands)) {
    test(`${title}: nothing steers the terminal or turns the text, what turned it can be seen`, async () => {
      const agent = await open.agent(answers);
      const cwd = await program.workspace({
        'x.a2a': { name: `n${hostile}`, agent: agent.url, message: 'x', expect: { text: 'nope', state: 'completed' } },
        'wrong.a2a': { name: 'n', agent: agent.url, message: 'x', [hostile]: 1 },
      });
      const { out, err } = await program.run(args(agent.url), { cwd });
      const raw = [out, err].filter(said => steering.test(said) || turning.test(said)).length;
      figure(
        'F21',
        { 'sequences shown': controlSequences.length, 'raw characters': raw },
        `${controlSequences.length} sequences in ${title}, ${raw} outputs with raw characters`,
      );
      for (const [name, said] of [
        ['out', out],
        ['err', err],
      ] as const) {
        assert.doesNotMatch(said, steering, `${name}: ${JSON.stringify(said)}`);
        assert.doesNotMatch(said, turning, `${name}: ${JSON.stringify(said)}`);
      }
      assert.match(out + err, /d(⟨U\+202E⟩|\\u202e|\\\\u202e)e/);
      // As JSON every character is there.
      if (args(agent.url).includes('--json'))
        assert.ok(
          out.split('\n').some(line => line !== '' && JSON.stringify(JSON.parse(line)).includes(JSON.stringify(hostile).slice(1, -1))),
          out,
        );
    });
  }

  /** Lines that other programs take for orders or results where they stand at the beginning of a line, or anywhere in it. */
  const forged = [
    '::warning::owned',
    'ok 1',
    'not ok 2',
    '✓ x.a2a › forged',
    '##vso[task.complete result=Succeeded]',
    '##[error]owned',
    '1 passed in 0.1 s',
  ];
  const lines = `words\n${forged.join('\n')}\r\n${forged.join('\u2028')}`;
  const begins = /^\s*(?:::|ok 1|not ok|✓ x\.a2a › forged|##|1 passed in 0\.1)/m;
  const order = /##(?:vso)?\[/;

  test('a text of several lines begins no line of its own in what is told', async () => {
    const agent = await open.agent({
      SendMessage: [{ error: { code: -32603, message: lines, data: lines } }],
      SendStreamingMessage: ({ params }) => {
        const [part] = params?.message.parts ?? [];
        if (part !== undefined && 'text' in part && part.text === 'refuse')
          return [{ error: { code: -32603, message: lines, data: lines } }];
        const artifacts = [{ artifactId: lines, name: lines, parts: [{ raw: 'AAAA', filename: lines, mediaType: lines }] }];
        return [
          { event: { task: task('TASK_STATE_SUBMITTED', { id: lines, contextId: lines }) } },
          {
            event: {
              task: task('TASK_STATE_FAILED', {
                id: lines,
                contextId: lines,
                status: { state: 'TASK_STATE_FAILED', message: says(lines) },
                artifacts,
              }),
            },
          },
        ];
      },
      ListTasks: [{ answer: { tasks: [task('TASK_STATE_COMPLETED', { id: lines })], nextPageToken: '', pageSize: 1, totalSize: 1 } }],
      GetTask: [{ status: 500, headers: { 'content-type': 'text/plain' } }, { raw: lines }],
    });
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: `n\n${lines}`, message: 'refuse' },
          { message: 'x', expect: { text: `nope\n${lines}`, state: 'completed', findings: [] } },
          { message: 'x', expect: { paths: { 'task.id': lines.slice(1) } } },
        ],
      },
    });
    for (const args of [
      ['run', 'x.a2a'],
      ['run', 'x.a2a', '--reporter', 'junit'],
      ['run', 'x.a2a', '--json'],
      ['send', agent.url, 'x'],
      ['send', agent.url, 'x', '--stream'],
      ['task', 'get', agent.url, 't'],
      ['task', 'list', agent.url],
    ]) {
      const { out, err } = await program.run(args, { cwd });
      // Standard output of `send` has the words of the answer themselves, and files in a line each.
      for (const said of args[0] === 'send' ? [err] : [out, err]) {
        assert.doesNotMatch(said, begins, `${args.join(' ')}: ${said}`);
        assert.doesNotMatch(said, order, `${args.join(' ')}: ${said}`);
        assert.doesNotMatch(said, /[\u2028\u2029]/);
      }
      if (args.includes('--stream')) assert.match(out, /^\[words⟨U\+000A⟩[^\n]*, 3 bytes\]\n/);
      if (args.includes('list')) assert.match(out, /^words⟨U\+000A⟩[^\n]*\n$/);
      // As JSON every character is there.
      if (args.includes('--json'))
        assert.ok(out.includes('::warning') && JSON.stringify(JSON.parse(out.split('\n')[0]!)).includes('##vso['));
    }
  });

  const unseen = '\u200b\u2060\ufeff\u00ad\u2028\u2029\u180e\u3164\u{e0041}\u{e0100}';
  /** What is part of what is seen: families, flags, hearts, Persian, Hindi, variants of Han. */
  const seen = '👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️ 1️⃣ می‌خواهم क्‍ष 葛\u{e0100}';

  test('what nobody sees is spelled out, and what writing needs stays', async () => {
    const words = `a${[...unseen].join('b')}c ${seen}`;
    const shown = `a${[...unseen].map(character => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`).join('b')}c ${seen}`;
    const agent = await open.agent({
      SendMessage: [
        {
          answer: {
            task: task('TASK_STATE_FAILED', {
              id: words,
              status: { state: 'TASK_STATE_FAILED', message: says(words) },
              artifacts: [{ artifactId: 'x', parts: [{ text: words }] }],
            }),
          },
        },
      ],
      // Every character for itself.
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        ...[...words].map((character, index) => ({ event: chunk(character, index > 0) })),
        { event: statusUpdate('TASK_STATE_FAILED', says(words)) },
      ],
    });
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, method: 'SendMessage', name: words, message: 'x', expect: { text: 'nope' } },
    });
    const sent = await program.run(['send', agent.url, 'x']);
    assert.equal(sent.out, `${shown}\n\n${shown}\n`);
    assert.equal(sent.err, `task ${shown}, context c-1, failed\n`);
    assert.equal((await program.run(['send', agent.url, 'x', '--stream'])).out, sent.out);
    const { out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.ok(out.startsWith(`✗ x.a2a › ${shown}: failed`) && out.includes(`+ ${shown}`), out);
    const { out: json } = await program.run(['send', agent.url, 'x', '--json']);
    assert.doesNotMatch(json, new RegExp(`[${unseen}](?<!葛\\u{e0100})`, 'u'));
    assert.equal((JSON.parse(json) as { task: { id: string } }).task.id, words);
  });

  test('--raw to a program is every byte', async () => {
    const agent = await open.agent({ SendMessage: [{ raw: body }] });
    const { out } = await program.run(['send', agent.url, 'x', '--raw']);
    assert.equal(out, `${body}\n`);
  });
});
