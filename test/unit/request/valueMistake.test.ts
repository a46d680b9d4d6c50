import * as assert from 'node:assert/strict';
import type * as z from 'zod';
import { english } from '../../../src/protocol/problem.ts';
import { Expect } from '../../../src/request/expect/kinds.ts';
import { requestKeys } from '../../../src/request/file/keys.ts';
import { requestParams } from '../../../src/request/text/methods.ts';
import { showPath } from '../../../src/request/text/path.ts';
import { valueMistakes } from '../../../src/request/text/valueMistake.ts';

const part = (content: unknown) => ({ message: { messageId: 'm', role: 'ROLE_USER', parts: [content] } });
const { interface: wanted, headers, message, tags, timeoutMs, extensions } = requestKeys;
const { SendMessage, GetTask } = requestParams;

/** What is said of a value that does not fit: the place of the first mistake, and the words. */
const rows: readonly (readonly [schema: z.ZodType, value: unknown, said: string])[] = [
  [Expect, 5, ' it must be an object, not a number'],
  [Expect, { text: 5 }, '.text it must be text, a list or an object, not a number'],
  [Expect, { text: null }, '.text it must be text, a list or an object, not null'],
  [Expect, { text: '' }, '.text it must not be empty'],
  [Expect, { text: { matches: 5 } }, '.text.matches it must be text, not a number'],
  [Expect, { text: [5] }, '.text[0] it must be text, not a number'],
  [Expect, { totalMs: -1 }, '.totalMs it must be at least 0'],
  [Expect, { totalMs: { lt: 'x' } }, '.totalMs.lt it must be a number, not text'],
  [Expect, { totalMs: { less: 1 } }, '.totalMs unknown key "less"'],
  [Expect, { totalMs: {} }, '.totalMs it names no matcher'],
  [Expect, { artifacts: [{ count: 1.5 }] }, '.artifacts[0].count it must be a whole number'],
  [Expect, { artifacts: true }, '.artifacts it must be a number, a list or an object, not true or false'],
  [Expect, { events: [{ append: 'x' }] }, '.events[0].append it must be true or false, not text'],
  [Expect, { events: [{ type: 'task' }] }, '.events[0].type it must be one of status, artifact, message'],
  [Expect, { events: [] }, '.events it must not be empty'],
  [Expect, { data: 5 }, '.data it must be an object, not a number'],
  [Expect, { error: {} }, '.error it has no condition for the error'],
  [Expect, { error: { exists: false } }, '.error.exists it must be true'],
  [Expect, { paths: {} }, '.paths it names no path'],
  [Expect, { paths: { 'a b': 1 } }, ".paths['a b'] it is not a path such as task.artifacts[0].name"],
  [Expect, { paths: { 'task.id': { min: 1, other: 2 } } }, ".paths['task.id'].other it is not a matcher"],
  [Expect, { headers: {} }, '.headers it names no header'],
  [Expect, { stauts: 1 }, ' unknown key "stauts"'],
  [wanted, 'zz yy', ' it must be a binding, a version or both, such as "HTTP+JSON 1.0"'],
  [wanted, { binding: 'x' }, ' unknown key "binding"'],
  [headers, { 'a b': 'x' }, "['a b'] it does not match /^[\\w!#$%&'*+.^`|~-]+$/"],
  [headers, { a: 1 }, '.a it must be text, not a number'],
  [tags, ['a b'], String.raw`[0] it does not match /^[^\s,!]+$/`],
  [message, [{ x: 1 }], '[0] it has none of the members text, raw, url, data, lines'],
  [message, [{ text: 'x', x: 1 }], '[0] unknown key "x"'],
  [timeoutMs, 1e12, ' it must be at most 86400000'],
  [extensions, 'x', ' it must be a list, not text'],
  [SendMessage, part({ nothing: 5 }), '.message.parts[0] it has none of the members text, raw, url, data'],
  [SendMessage, part({ text: 5 }), '.message.parts[0].text it must be text, not a number'],
  [SendMessage, {}, '.message it is missing'],
  [GetTask, { id: 5 }, '.id it must be text, not a number'],
];

suite('mistakes of values', () => {
  for (const [schema, value, said] of rows)
    test(JSON.stringify(value), () => {
      const read = schema.safeParse(value);
      assert.ok(read.error);
      const [first] = valueMistakes(read.error, value);
      assert.equal(`${showPath(first!.path)} ${english(first!.what)}`, said);
    });

  test('a list of what is possible has its end', () => {
    const read = Expect.safeParse({ findings: ['X'] });
    const [first] = valueMistakes(read.error!, { findings: ['X'] });
    assert.equal(showPath(first!.path), '.findings[0]');
    assert.match(english(first!.what), /^it must be one of CARD-01, (?:[A-Z]+-\d\d, ){39}…$/);
  });

  test('none of the words of the schema library is left', () => {
    for (const [schema, value] of rows)
      for (const { what } of valueMistakes(schema.safeParse(value).error!, value))
        assert.doesNotMatch(english(what), /Invalid|Too |received/);
  });
});
