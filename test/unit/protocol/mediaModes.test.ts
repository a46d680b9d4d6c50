import * as assert from 'node:assert/strict';
import { inputModesOf, outputModesOf, acceptsMediaType } from '../../../src/protocol/card/mediaModes.ts';

suite('media modes', () => {
  const rows: readonly (readonly [modes: readonly string[], mediaType: string, taken: boolean])[] = [
    [[], 'image/png', true],
    [['text/plain'], 'text/plain', true],
    [['text/plain'], 'text/markdown', false],
    [['text/plain'], 'image/png', false],
    [['TEXT/Plain; charset=utf-8'], 'text/plain;format=flowed', true],
    [['image/*'], 'image/svg+xml', true],
    [['image/*'], 'images/png', false],
    [['image/*', 'application/pdf'], 'application/pdf', true],
    [['*/*'], 'application/octet-stream', true],
    [['*'], 'a/b', true],
    [['application/json'], 'application/vnd.a+json', true],
    [['application/json'], 'text/json', false],
    [['text'], 'text/csv', true],
    [['image'], 'image/png', true],
    [['image'], 'text/plain', false],
    [['data'], 'application/json', true],
    [['file'], 'application/zip', true],
    [['toString'], 'text/plain', false],
    [[''], 'text/plain', false],
  ];
  for (const [modes, mediaType, taken] of rows) {
    test(`${modes.join(', ') || 'nothing listed'} ${taken ? 'takes' : 'does not take'} ${mediaType}`, () =>
      assert.equal(acceptsMediaType(modes, mediaType), taken));
  }

  test('a card takes what it or any of its skills takes, each once', () => {
    const card = {
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ inputModes: ['image/*', 'text/plain'] }, { outputModes: ['image/png'] }],
    };
    assert.deepEqual(
      [inputModesOf(card), outputModesOf(card)],
      [
        ['text/plain', 'image/*'],
        ['text/plain', 'image/png'],
      ],
    );
  });
});
