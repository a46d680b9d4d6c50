import * as assert from 'node:assert/strict';
import type { ResponseView, SentPart } from '../../../src/chat/host/responseMessages.ts';
import { readResponseView } from '../../../src/chat/responsePage/readResponseView.ts';
import { nextResponse, type PagePart } from '../../../src/chat/responsePage/shownResponse.ts';

const sent: readonly SentPart[] = [
  { is: 'part', part: { text: 'a', filename: 'b', mediaType: 'c' }, cut: true },
  { is: 'large', filename: 'd', mediaType: 'e', bytes: 5 },
];
const view = {
  response: 1,
  title: 'a',
  running: true,
  leftOut: 0,
  answers: [
    {
      row: 'r',
      state: 'TASK_STATE_WORKING',
      problem: { message: 'p', nextStep: 'n' },
      expectations: { count: 2, failed: [{ message: 'm', expected: 'e', actual: 'a' }], leftOut: 0 },
      contents: [{ kind: 'artifact', name: 'x', description: 'y', parts: sent, leftOut: 0 }],
    },
  ],
  strings: { a: 'b' },
};
/** Members of the view by path: each is broken in turn. */
const paths = [
  'response',
  'title',
  'running',
  'leftOut',
  'answers',
  'answers.0',
  'strings',
  'strings.a',
  ...['row', 'state', 'problem', 'problem.message', 'problem.nextStep', 'contents', 'contents.0'].map(name => `answers.0.${name}`),
  ...['expectations', 'expectations.count', 'expectations.failed', 'expectations.leftOut'].map(name => `answers.0.${name}`),
  ...['message', 'expected', 'actual'].map(name => `answers.0.expectations.failed.0.${name}`),
  ...['kind', 'name', 'description', 'parts', 'leftOut', 'parts.0', 'parts.0.is', 'parts.0.part', 'parts.0.part.text', 'parts.0.cut'].map(
    name => `answers.0.contents.0.${name}`,
  ),
  ...['filename', 'mediaType'].map(name => `answers.0.contents.0.parts.0.part.${name}`),
  ...['filename', 'mediaType', 'bytes'].map(name => `answers.0.contents.0.parts.1.${name}`),
];

/** The view with another value at the path. */
function broken(path: string): unknown {
  const copy = structuredClone(view) as unknown;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((value, name) => (value as Record<string, unknown>)[name], copy) as Record<string, unknown>;
  holder[last] = last === 'kind' || last === 'is' ? 'nothing' : typeof holder[last] === 'number' ? '1' : 0.5;
  return copy;
}

suite('chat: what the page of a response takes from its host', () => {
  test('a view in its shape', () => {
    assert.equal(readResponseView(view), view);
    const { strings: _, ...without } = view;
    assert.equal(readResponseView(without), without);
  });

  test('nothing else', () => {
    for (const path of paths) assert.equal(readResponseView(broken(path)), undefined, path);
    for (const other of [undefined, null, [], 'x', { ...view, answers: [null] }]) assert.equal(readResponseView(other), undefined);
  });
});

suite('chat: a response that goes on', () => {
  const told = (parts: readonly SentPart[], response = 1): ResponseView => ({
    response,
    title: 'a',
    running: true,
    leftOut: 0,
    answers: [{ contents: [{ kind: 'artifact', parts, leftOut: 0 }] }],
  });
  const text = (words: string): SentPart => ({ is: 'part', part: { text: words } });
  const picture: SentPart = { is: 'part', part: { raw: 'AAEC' } };
  const shown = (part: PagePart | undefined) => (part?.is === 'part' ? part.shown : undefined);
  const first = () => nextResponse(told([text('# One\n\nTwo\n\nThr'), picture]), undefined);
  const partsOf = (response: ReturnType<typeof nextResponse>) => response?.answers[0]?.contents[0]?.parts ?? [];

  test('keeps what is the same, and the closed blocks of a text that grew', () => {
    const before = first();
    const [one, other] = partsOf(before);
    const blocks = shown(one)?.kind === 'text' ? (shown(one) as { text: object }).text : undefined;
    const [grown, same] = partsOf(nextResponse(told([text('# One\n\nTwo\n\nThree\n'), { is: 'same' }]), before));
    assert.equal(same, other);
    const now = shown(grown);
    assert.ok(now?.kind === 'text');
    assert.equal(now.text, blocks);
    assert.equal(now.text.toString(), '# One\n\nTwo\n\nThree\n');
    assert.equal(now.length, now.text.length);
  });

  test('a text that became another is another', () => {
    const [now] = partsOf(nextResponse(told([text('# Zero'), picture]), first())).map(shown);
    assert.equal(now?.kind === 'text' && now.text.toString(), '# Zero');
  });

  test('asks for everything where the host counts on what is not here, and leaves what is here as it was', () => {
    const before = first();
    assert.equal(nextResponse(told([text('# One\n\nTwo\n\nThree'), picture, { is: 'same' }]), before), undefined);
    assert.equal(nextResponse(told([{ is: 'same' }], 2), before), undefined);
    const [kept] = partsOf(before).map(shown);
    assert.equal(kept?.kind === 'text' && kept.text.toString(), '# One\n\nTwo\n\nThr');
  });

  test('contents have numbers across answers', () => {
    const content = { kind: 'message' as const, parts: [], leftOut: 0 };
    const response = nextResponse({ ...told([]), answers: [{ contents: [content, content] }, { contents: [content] }] }, undefined);
    assert.deepEqual(
      response?.answers.flatMap(({ contents }) => contents.map(({ number }) => number)),
      [0, 1, 2],
    );
  });
});
