import * as assert from 'node:assert/strict';
import type { ResponseView, SentPart } from '../../../src/chat/host/responseMessages.ts';
import { nextResponse, type PagePart } from '../../../src/chat/responsePage/shownResponse.ts';

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
