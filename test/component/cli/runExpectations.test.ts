import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, statusUpdate, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const bytes = Buffer.from([0, 1, 2, 255]);
/** How long the agent waits before the log where it is told "slowly", in milliseconds: also a busy machine reads "working" 0.1 s before it. */
const pauseMs = 2_000;
/** What it is told where times are expected. */
const slowly = { message: 'slowly' };

/** A log in two pieces, a picture and data, one after the other. */
const works: Script = {
  SendStreamingMessage: ({ params }) => [
    { event: { task: task('TASK_STATE_SUBMITTED') } },
    { event: statusUpdate('TASK_STATE_WORKING') },
    { delay: params?.message.parts.some(part => 'text' in part && part.text === slowly.message) ? pauseMs : 0 },
    { event: piece('log', 'Ten', false) },
    { event: piece('log', ' knots\n', true) },
    {
      event: {
        artifactUpdate: {
          taskId: 't-1',
          contextId: 'c-1',
          artifact: {
            artifactId: 'boat',
            name: 'boat.png',
            parts: [{ raw: bytes.toString('base64'), mediaType: 'image/png' }, { data: { knots: 10, tags: ['a', 'b'] } }],
          },
          lastChunk: true,
        },
      },
    },
    { event: statusUpdate('TASK_STATE_COMPLETED', says('Done.')) },
  ],
  GetTask: [{ error: { code: -32001, message: 'No task t-9 here', data: { id: 't-9' } } }],
};
/** What the agent refuses. */
const refused = { message: undefined, method: 'GetTask', params: { id: 't-9' } };

function piece(name: string, text: string, append: boolean) {
  return {
    artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: name, name, parts: [{ text }] }, append, lastChunk: append },
  };
}

const data = 'task.artifacts[1].parts[1].data';

/** What holds, and beside it what does not. */
const cases: Readonly<Record<string, readonly [holds: object, fails: object, request?: object]>> = {
  'a state among several': [{ state: { in: ['completed', 'input-required'] } }, { state: { in: ['failed', 'input-required'] } }],
  'a state that is': [{ state: { equals: 'TASK_STATE_COMPLETED' } }, { state: { equals: 'failed' } }],
  'a state that is not': [{ state: { not: ['failed', 'rejected'] } }, { state: { not: { in: ['completed'] } } }],
  'a status below': [{ status: { lt: 400, not: 204 } }, { status: { gte: 400 } }],
  'a status among several': [{ status: { in: [200, 202] } }, { status: { not: [200, 202] } }],
  'a time between': [{ totalMs: { gt: 100, lt: 30_000 } }, { totalMs: { gt: 30_000 } }, slowly],
  'a time of the first event': [{ firstEventMs: { lt: 20_000 } }, { firstEventMs: { not: { gte: 0 } } }],
  'a state of an event': [{ events: [{ state: { in: ['working', 'failed'] } }] }, { events: [{ state: { in: ['failed', 'rejected'] } }] }],
  'one of several errors': [{ error: { in: [-32004, 'TaskNotFoundError'] } }, { error: [-32004, 'InternalError'] }, refused],
  'another error': [{ error: { not: 'InternalError' } }, { error: { not: 'TaskNotFoundError' } }, refused],
  'any error': [{ error: { exists: true } }, { error: { exists: true, message: 'Nobody' } }, refused],
  'the message of an error': [
    { error: { code: -32001, message: { matches: 't-\\d' } } },
    { error: { code: -32001, message: { matches: '^t-' } } },
    refused,
  ],
  'the code of an error': [{ error: { code: { in: [-32001] } } }, { error: { code: { in: [-32004] } } }, refused],
  'the data of an error': [{ error: { data: { id: 't-9' } } }, { error: { data: { schema: { required: ['key'] } } } }, refused],
  notContains: [{ text: { notContains: 'error' } }, { text: { notContains: 'knots' } }],
  'length of a text': [{ text: { minLength: 5, maxLength: 40 } }, { text: { minLength: 500 } }],
  'longest text': [{ text: { maxLength: 400 } }, { text: { maxLength: 5 } }],
  lt: [{ paths: { [`${data}.knots`]: { lt: 11 } } }, { paths: { [`${data}.knots`]: { lt: 10 } } }],
  lte: [{ paths: { [`${data}.knots`]: { lte: 10 } } }, { paths: { [`${data}.knots`]: { lte: 9 } } }],
  gt: [{ paths: { [`${data}.knots`]: { gt: 9 } } }, { paths: { [`${data}.knots`]: { gt: 10 } } }],
  gte: [{ paths: { [`${data}.knots`]: { gte: 10 } } }, { paths: { [`${data}.knots`]: { gte: 11 } } }],
  closeTo: [
    { paths: { [`${data}.knots`]: { closeTo: { value: 10.2, within: 0.3 } } } },
    { paths: { [`${data}.knots`]: { closeTo: { value: 11, within: 0.3 } } } },
  ],
  some: [{ paths: { [`${data}.tags`]: { some: 'a' } } }, { paths: { [`${data}.tags`]: { some: { matches: '^c' } } } }],
  every: [{ paths: { [`${data}.tags`]: { every: { length: 1 } } } }, { paths: { [`${data}.tags`]: { every: 'a' } } }],
  'each item': [
    { paths: { 'task.artifacts[*].name': ['log', 'boat.png'] } },
    { paths: { 'task.artifacts[*].name': { contains: 'boat.gif' } } },
  ],
  schema: [
    { paths: { [data]: { schema: { required: ['knots'] } } } },
    { paths: { [data]: { schema: { properties: { knots: { type: 'string' } } } } } },
  ],
  'a schema in a file': [{ data: '{{$file schema.json}}' }, { data: '{{$file wrong.json}}' }],
  'a schema in a file, in matchers': [
    { paths: { [data]: { schema: '{{$file schema.json}}' } }, artifacts: [{ data: { schema: '{{$file schema.json}}' } }] },
    { paths: { [data]: { schema: '{{$file wrong.json}}' } } },
  ],
  'text of an artifact': [{ artifacts: [{ name: 'log', text: 'knots' }] }, { artifacts: [{ name: 'log', text: 'miles' }] }],
  'data of an artifact': [
    { artifacts: [{ name: 'boat.png', data: { knots: 10, tags: ['a', 'b'] } }] },
    { artifacts: [{ name: 'boat.png', data: { knots: 11 } }] },
  ],
  'a text file': [
    { artifacts: [{ name: 'log', content: '{{$file log.txt}}' }] },
    { artifacts: [{ name: 'log', content: '{{$file other.txt}}' }] },
  ],
  'a file of bytes': [
    { artifacts: [{ name: 'boat.png', content: '{{$file boat.png}}' }] },
    { artifacts: [{ name: 'boat.png', content: '{{$file other.png}}' }] },
  ],
  'a JSON file': [{ paths: { [data]: { equals: '{{$file data.json}}' } } }, { paths: { [data]: { equals: '{{$file other.json}}' } } }],
  'order of events': [
    {
      events: [
        { state: 'working' },
        { artifact: 'log', append: true, last: true },
        { artifact: 'boat.png' },
        { state: 'completed', text: 'Done' },
      ],
    },
    { events: [{ artifact: 'log' }, { state: 'working' }] },
  ],
  'timing of events': [
    { events: [{ artifact: 'log', afterMs: 100, withinMs: 20_000 }] },
    { events: [{ artifact: 'log', withinMs: 100 }] },
    slowly,
  ],
  'a matcher for the time of an event': [
    { events: [{ artifact: 'log', withinMs: { gt: 100, lt: 20_000 } }] },
    { events: [{ artifact: 'log', withinMs: { lt: 100 } }] },
    slowly,
  ],
  'a matcher for the earliest time of an event': [
    { events: [{ artifact: 'log', afterMs: { gte: 100 } }] },
    { events: [{ artifact: 'log', afterMs: { gte: 20_000 } }] },
    slowly,
  ],
  'a matcher for the time since the event before': [
    { events: [{ state: 'working' }, { artifact: 'log', gapMs: { gte: 100, lt: 20_000 } }] },
    { events: [{ state: 'working' }, { artifact: 'log', gapMs: { not: 20_000 } }] },
    slowly,
  ],
  'a matcher for the longest time between events': [
    { events: { maxGapMs: { gt: 100, lt: 20_000 } } },
    { events: { maxGapMs: { lt: 100 } } },
    slowly,
  ],
  'number of events': [{ events: { min: 6, max: 6 } }, { events: { max: 5 } }],
};

suite('expectations in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('each holds and fails as it should, with what was expected and what came', async () => {
    const agent = await open.agent(works);
    const requests = Object.entries(cases).flatMap(([name, [holds, fails, request]]) => [
      { name: `${name} holds`, message: 'x', ...request, expect: holds },
      { name: `${name} fails`, message: 'x', ...request, expect: fails },
    ]);
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, requests },
      'log.txt': 'Ten knots\n',
      'other.txt': 'Nine knots\n',
      'data.json': { knots: 10, tags: ['a', 'b'] },
      'schema.json': { type: 'object', required: ['knots'] },
      'wrong.json': { properties: { knots: { type: 'string' } } },
      'other.json': { knots: 10, tags: ['a', 'c'] },
    });
    await writeFile(join(cwd, 'boat.png'), bytes);
    await writeFile(join(cwd, 'other.png'), Buffer.from([0, 1, 2]));
    const came = await program.run(['run', 'x.a2a', '--reporter', 'json', '--parallel', '8'], { cwd });
    const results = came.out
      .trim()
      .split('\n')
      .map(
        line => JSON.parse(line) as { name?: string; verdict: string; failures: { expected?: string; actual?: string; message: string }[] },
      )
      .filter(({ name }) => name !== undefined);
    assert.deepEqual(
      Object.fromEntries(results.map(({ name, verdict }) => [name, verdict])),
      Object.fromEntries(requests.map(({ name }) => [name, name.endsWith('holds') ? 'passed' : 'failed'])),
    );
    assert.equal(came.status, 1);
    for (const { name, failures } of results.filter(({ verdict }) => verdict === 'failed')) {
      assert.equal(failures.length, 1, `${name} ${JSON.stringify(failures)}`);
      for (const { expected, actual } of failures) assert.ok(expected !== undefined && actual !== undefined && expected !== actual, name);
    }
  });

  test('what differs is shown line by line', async () => {
    const agent = await open.agent(works);
    const request = { agent: agent.url, name: 'one', message: 'x', expect: { paths: { [data]: { knots: 10, tags: ['a', 'c'] } } } };
    const cwd = await program.workspace({ 'x.a2a': request });
    const came = await program.run(['run', 'x.a2a'], { cwd });
    const lines = came.out.split('\n').map(line => line.replace(/^ +(\| )?/, ''));
    const at = lines.indexOf('-     "c"');
    assert.ok(at > 0 && lines[at + 1] === '+     "b"', came.out);
  });
});
