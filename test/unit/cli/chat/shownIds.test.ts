import * as assert from 'node:assert/strict';
import { ShownIds } from '../../../../src/cli/chat/shownIds.ts';

const uuid = (first: number): string => `${first.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

suite('ids that a chat in a terminal has shown', () => {
  test('UUIDs are short, others whole, and each is found again', () => {
    const ids = new ShownIds();
    assert.equal(ids.short(uuid(1)), '00000001');
    assert.equal(ids.short('00000001-0000-4000-8000-000000000001').startsWith('00000001-'), true);
    assert.equal(ids.short('order-2024-17'), 'order-2024-17');
    assert.equal(ids.whole('00000001'), uuid(1));
    assert.equal(ids.whole('order-2024-17'), 'order-2024-17');
  });

  test('a thousand are remembered; those after them are whole', () => {
    const ids = new ShownIds();
    for (let first = 0; first < 1_000; first++) assert.equal(ids.short(uuid(first)).length, 8);
    assert.equal(ids.short(uuid(1_000)), uuid(1_000));
    assert.equal(ids.short(uuid(7)), '00000007');
  });
});
