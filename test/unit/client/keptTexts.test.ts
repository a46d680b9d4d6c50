import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf } from '../../../src/cli/run/reporters/runAnswer.ts';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { beginningOf, copyOf } from '../../../src/protocol/ownText.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { shown } from '../../../src/request/expect/check.ts';
import { caught, figure } from '../../support/figure.ts';
import { retained } from '../../support/retained.ts';

const MiB = 1024 * 1024;
const times = 8;
/** What may be kept of so many texts of 2 MiB: no more than one of them. */
const most = 2 * MiB;

/** In the heap as one, as what was decoded is. */
const longText = (): string => new TextDecoder().decode(Buffer.alloc(2 * MiB, 'abcdefghij'));

/** What was made before stays, so that what the process keeps after one test is what it keeps before the next: a garbage collection takes long. */
const made: unknown[] = [];
let retainedBefore = 0;

/** Bytes that the process keeps with what is made of some long texts, each another. */
async function keptWith(make: (long: string, index: number) => unknown): Promise<number> {
  for (let index = 0; index < times; index++) made.push(await make(longText(), index));
  const before = retainedBefore;
  retainedBefore = retained();
  return retainedBefore - before;
}

async function* onceAs(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** The last event of a stream. */
async function lastOf(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
  let last: unknown;
  for await (const frames of readFrames(bytes)) last = frames.at(-1);
  return last;
}

const exchange = (index: number, response: Partial<NonNullable<Exchange['response']>>): Exchange => ({
  id: String(index),
  operation: 'GetTask',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
  startedAt: 0,
  response: { status: 200, headers: [], ...response },
  findings: [],
});

const recorder = new ExchangeRecorder();
const tiny = 'data: {"jsonrpc":"2.0","id":1,"result":{"a":"tiny event"}}';

/** What is made of a long text and kept when that should be gone, by its name. */
const makers: readonly (readonly [name: string, make: (long: string, index: number) => unknown])[] = [
  ['its beginning', long => beginningOf(long, 1000, '…')],
  ['a short piece of it', long => copyOf(long.slice(100, 200))],
  [
    'a problem that quotes a piece of it',
    long => new Problem('x', sentence('It said: {0}', long.slice(0, 80)), { details: long.slice(0, 2048) }),
  ],
  [
    'a problem whose next step quotes it',
    long => {
      const problem = new Problem('x', sentence('It failed.'), { nextStep: sentence('Try {0}.', sentence('{0}', long.slice(0, 80))) });
      problem.advise(sentence('Try {0}.', long.slice(0, 80)));
      return problem;
    },
  ],
  ['a problem with all of it', long => new Problem('x', sentence('It said: {0}', long), { details: long })],
  ["an agent's error with a message of that length", long => new A2AError(-32603, long, { long: `${long}!` })],
  ['an event beside it', long => lastOf(onceAs(`data: {"a":"${long}"}\n\n${tiny}\n\n`))],
  [
    'an event beside it, with a name and an id',
    long => lastOf(onceAs(`data: {"a":"${long}"}\n\nevent: a-message-as-it-is\nid: a-number-as-it-is\n${tiny}\n\n`)),
  ],
  ['an event beside it that ends later', long => lastOf(onceAs(`id: 1\ndata: {"a":"${long}"}\n\n${tiny}\n`, '\n'))],
  ['an exchange with it as body', (long, index) => recorder.exchange(exchange(index, { body: long }))],
  ['an exchange with it as bytes', (long, index) => recorder.exchange(exchange(100 + index, { body: '{}', bytes: long }))],
  [
    'events that are pieces of it',
    (long, index) =>
      recorder.frames(`stream ${index}`, [
        { seq: 0, at: 0, data: long.slice(0, 500), event: long.slice(0, 50), id: long, bytes: long.slice(1) },
      ]),
  ],
  ["a run's answer", long => answerOf({ message: { parts: [{ text: long }] } } as unknown as RequestOutcome)],
  ['a value in an expectation', long => shown(long)],
];

suite('what is kept of long texts', () => {
  suiteSetup(async () => {
    // What the first call of each keeps for those that follow is not counted.
    for (const [, make] of makers) await make(longText(), times);
    retainedBefore = retained();
  });

  for (const [name, make] of makers)
    test(`${name} holds nothing of it`, async () => {
      const kept = await keptWith(make);
      figure('F32', { cuts: 1, 'MiB kept': Math.ceil(Math.max(0, kept) / MiB) }, `${name}: ${Math.round(kept / 1024)} KiB kept`);
      assert.ok(kept <= most, `${kept} bytes`);
    });

  test('a cut without a copy keeps what it was cut from', async () => {
    const kept = await keptWith(long => long.slice(0, 1000).toWellFormed());
    assert.ok(kept > 2 * most, `${kept} bytes`);
    caught('F32', 'a cut that keeps what it was cut from');
  });

  test('all exchanges of a check together are bounded, as are their events', () => {
    const many = new ExchangeRecorder();
    const body = 'x'.repeat(200_000);
    for (let index = 0; index < 2_000; index++) many.exchange(exchange(index, { body }));
    for (let index = 0; index < 20; index++)
      many.frames(
        String(index),
        Array.from({ length: 100 }, (_, seq) => ({ seq, at: 0, data: body })),
      );
    const bodies = many.all.reduce((sum, { response }) => sum + response!.body!.length, 0);
    const events = many.all.reduce((sum, { id }) => sum + many.kept(id)!.frames.reduce((all, { data }) => all + data.length, 0), 0);
    assert.ok(bodies + events <= 96 * MiB, `${bodies} + ${events}`);
    assert.equal(many.all[0]?.response?.body?.length, body.length);
    assert.equal(many.all.at(-1)?.response?.truncated, true);
    assert.equal(many.eventsOf('0'), 100);
  });

  test('texts are cut by the function that copies', () => {
    const root = join(import.meta.dirname, '../../../src');
    // The other boxes write what they cut, and keep none of it.
    const files = globSync('{protocol,client,auth,conformance,model,request,store}/**/*.ts', { cwd: root }).filter(
      file => !/protocol[\\/]ownText\.ts$/.test(file),
    );
    assert.ok(files.length > 300, String(files.length));
    const cutting = (text: string): boolean => /\.slice\(0, [^)]*\)\.toWellFormed\(\)/.test(text);
    assert.deepEqual(
      files.filter(file => cutting(readFileSync(join(root, file), 'utf8'))),
      [],
    );
    assert.ok(cutting(readFileSync(join(root, 'protocol/ownText.ts'), 'utf8')));
  });
});
