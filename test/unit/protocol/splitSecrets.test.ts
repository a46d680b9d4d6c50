import * as assert from 'node:assert/strict';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import { SplitSecrets } from '../../../src/protocol/secrets/splitSecrets.ts';

const secret = 'c4n"ry/split-é1';
const secrets = new SecretValues();
secrets.add(secret);

const event = (text: string, artifactId = 'a', more: object = {}): string =>
  JSON.stringify({ artifactUpdate: { taskId: 't', artifact: { artifactId, parts: [{ text }] }, append: true, ...more } });
const words = (text: string): string =>
  JSON.stringify({ statusUpdate: { status: { state: 'TASK_STATE_WORKING', message: { parts: [{ text }] } } } });

/** What is told at each event, at the end of all. */
function tell(events: readonly string[], finder = secrets): readonly (readonly string[])[] {
  const split = new SplitSecrets<string>(finder, (_, data) => data);
  return [...events.map(data => split.add(data, data)), split.finish()];
}
const textsOf = (events: readonly string[]): readonly string[] =>
  events.map(data => /"text":("(?:[^"\\]|\\.)*")/.exec(data)).map(found => JSON.parse(found?.[1] ?? '""') as string);
/** The end of base64, which says less than a character, may come after the mask. */
const shown = (events: readonly string[]): string =>
  textsOf(tell(events).flat())
    .join('')
    .replace(/(?<=••••••)Q?={1,2}/, '');

suite('secret values in pieces', () => {
  for (const form of [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    JSON.stringify(secret).slice(1, -1),
    secret.toUpperCase(),
    `%63${encodeURIComponent(secret.slice(1))}`,
    Buffer.from(secret).toString('hex'),
  ]) {
    test(`at every border: ${form}`, () => {
      for (let at = 1; at < form.length; at++) {
        assert.equal(shown([event(`say ${form.slice(0, at)}`), event(`${form.slice(at)} now`)]), 'say •••••• now');
        for (let second = at + 1; second < form.length; second++) {
          assert.equal(
            shown([event(`say ${form.slice(0, at)}`), event(form.slice(at, second)), event(`${form.slice(second)} now`)]),
            'say •••••• now',
          );
        }
      }
      assert.equal(shown([...form].map(character => event(character))), '••••••');
      assert.equal(shown([...form].map(character => words(character))), '••••••');
    });
  }

  test('base64 of base64: of what came before it could be told, at most three characters', () => {
    const form = Buffer.from(Buffer.from(`u:${secret}:x`).toString('base64')).toString('base64');
    const hidden = Buffer.from(Buffer.from(secret).toString('base64')).toString('base64');
    for (const size of [1, 2, 3, 5]) {
      const told = textsOf(tell(form.match(new RegExp(`.{1,${size}}`, 'g'))!.map(piece => event(piece))).flat()).join('');
      assert.match(told, /••••••/);
      for (let at = 0; at + 8 <= hidden.length; at++) assert.ok(!told.includes(hidden.slice(at, at + 8)), told);
    }
  });

  test('in the parts of one event, of several, and at every border of both', () => {
    const parts = (...texts: readonly string[]): string =>
      JSON.stringify({ artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: texts.map(text => ({ text })) } } });
    const said = (events: readonly string[]): string =>
      tell(events)
        .flat()
        .map(data =>
          (JSON.parse(data) as { artifactUpdate: { artifact: { parts: { text: string }[] } } }).artifactUpdate.artifact.parts
            .map(({ text }) => text)
            .join(''),
        )
        .join('');
    for (let first = 1; first < secret.length; first++) {
      for (let second = first; second < secret.length; second++) {
        const [one, two, three] = [`say ${secret.slice(0, first)}`, secret.slice(first, second), `${secret.slice(second)} now`];
        for (const events of [
          [parts(one, two, three)],
          [parts(one), parts(two, three)],
          [parts(one, two), parts(three)],
          [parts('a', one), parts(two), parts(three, 'b')],
        ]) {
          assert.equal(said(events).replace(/^a|b$/g, ''), 'say •••••• now', events.join());
        }
      }
    }
    assert.equal(said([parts(...secret), parts('x', ...secret)]), '••••••x••••••');
    assert.equal(
      said([parts('c4', 'c4', secret.slice(2)), parts(secret.slice(0, 4), 'c'), parts(secret.slice(1))]),
      `c4••••••${secret.slice(0, 4)}••••••`,
    );
  });

  test('what is in several parts and no secret comes out as it went in', () => {
    const all = [
      JSON.stringify({ parts: [{ text: 'c4n' }, { text: '"r' }, { text: 'x' }] }),
      event('c4'),
      event('n"'),
      JSON.stringify({ parts: [{ text: 'c' }, { text: '4' }] }),
    ];
    assert.deepEqual(tell(all).flat(), all);
  });

  test('between the pieces of two artifacts, and of words about the task', () => {
    const all = [...secret].flatMap(character => [event(character, 'a'), event(character, 'b'), words('.'), JSON.stringify({ other: 1 })]);
    const told = tell(all).flat();
    assert.equal(told.length, all.length);
    assert.equal(textsOf(told).join('').replaceAll('.', ''), '••••••••••••');
  });

  test('what only begins like one comes out as it went in, in order', () => {
    const all = [event('c'), event('4n"ry'), words('c4n'), event('ary c4'), event('n"ry/split-'), event('x')];
    assert.deepEqual(tell(all).flat(), all);
  });

  test('nothing waits that is no beginning, nor where the text or the task is at its end', () => {
    const split = new SplitSecrets<string>(secrets, (_, data) => data);
    assert.deepEqual(split.add('1', event('some words')), ['1']);
    assert.deepEqual(split.add('2', event('so c4n', 'a', { lastChunk: true })), ['2']);
    assert.deepEqual(split.add('3', event('so c4n')), []);
    assert.deepEqual(split.add('4', '{"status":{"state":"completed"}}'), ['3', '4']);
    assert.equal(split.wait, undefined);
  });

  test('waiting ends: a few characters are told, more are masked; what goes on is masked all the same', () => {
    const split = new SplitSecrets<string>(secrets, (_, data) => data);
    const take = (text: string): readonly string[] => textsOf(split.add(event(text), event(text)));
    assert.deepEqual(take('it is c4n'), []);
    assert.equal(split.wait, 300);
    assert.deepEqual(textsOf(split.takeOverdue()), ['it is c4n']);
    assert.deepEqual(take('"ry/'), []);
    assert.equal(split.wait, 2000);
    assert.deepEqual(textsOf(split.takeOverdue()), ['••••••']);
    assert.equal(split.wait, undefined);
    assert.deepEqual(take('split-é1 end'), ['•••••• end']);
  });

  test('what is cut at the end is masked from six characters on, and not what may be words', () => {
    const of = (value: string, ...more: readonly string[]): SecretValues => {
      const values = new SecretValues();
      for (const each of [value, ...more]) values.add(each);
      return values;
    };
    const ends: readonly ((text: string) => readonly string[])[] = [
      text => [event(text)],
      text => [event(text, 'a', { lastChunk: true })],
      text => [event(text), '{"status":{"state":"completed"}}'],
      text => [event(text.slice(0, -2)), event(text.slice(-2))],
      text => [words(text)],
    ];
    const hidden = (text: string, finder = secrets): void => {
      for (const end of ends)
        assert.equal(textsOf(tell(end(`say ${text}`), finder).flat()).join(''), 'say ••••••', `${text}: ${end('x').join()}`);
    };
    const stays = (text: string, finder = secrets): void => {
      for (const end of ends) assert.deepEqual(tell(end(`say ${text}`), finder).flat(), end(`say ${text}`));
    };
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), JSON.stringify(secret).slice(1, -1)])
      for (let at = 6; at < form.length; at++) hidden(form.slice(0, at));
    hidden(Buffer.from(secret).toString('base64').slice(0, 10));
    stays(secret.slice(0, 5));
    const named = of('password-of-Ann', 'Bearer t0ken-of-it', '20261123', '&hellip;-is-it');
    for (const word of ['pass', 'password', 'password-of', 'Bearer', '20261']) stays(word, named);
    for (const beginning of ['password-of-A', 'Bearer t0ken', '202611']) hidden(beginning, named);
  });

  test('a flood that waits is let go, masked', () => {
    const split = new SplitSecrets<string>(secrets, (_, data) => data);
    assert.deepEqual(split.add(event('c4n"ry'), event('c4n"ry')), []);
    const told = Array.from({ length: 300 }, () => split.add('{}', '{}')).flat();
    assert.ok(told.length > 250);
    assert.ok(!told.join('').includes('c4n'));
  });
});
