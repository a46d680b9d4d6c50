import * as assert from 'node:assert/strict';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import { SplitSecrets } from '../../../src/protocol/secrets/splitSecrets.ts';

const secret = 'c4n"ry/split-é1';
const secrets = new SecretValues();
secrets.add(secret);

const event = (text: string, artifactId = 'a'): string =>
  JSON.stringify({ artifactUpdate: { taskId: 't', artifact: { artifactId, parts: [{ text }] }, append: true } });
const words = (text: string): string =>
  JSON.stringify({ statusUpdate: { status: { state: 'TASK_STATE_WORKING', message: { parts: [{ text }] } } } });

/** The events as they are shown; each comes at once. */
function tell(events: readonly string[], finder = secrets): readonly string[] {
  const split = new SplitSecrets(finder);
  return events.map(data => split.mask(data));
}
const textsOf = (events: readonly string[]): readonly string[] =>
  events.map(data => [...data.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text!) as string).join(''));
const shown = (events: readonly string[]): string => textsOf(tell(events)).join('');
/** What is shown of a value that came in pieces: its first characters and one mask. The end of base64 says less than a character. */
const begins = (form: string, all: string, from = 'say ', to = ' now'): void => {
  const found = new RegExp(`^${from}(.{0,7})••••••Q?={0,2}${to}$`).exec(all);
  assert.ok(found !== null && form.startsWith(found[1]!), all);
};

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
        begins(form, shown([event(`say ${form.slice(0, at)}`), event(`${form.slice(at)} now`)]));
        for (let second = at + 1; second < form.length; second++)
          begins(form, shown([event(`say ${form.slice(0, at)}`), event(form.slice(at, second)), event(`${form.slice(second)} now`)]));
      }
      begins(form, shown([...form].map(character => event(character))), '', '');
      begins(form, shown([...form].map(character => words(character))), '', '');
    });
  }

  test('base64 of base64', () => {
    const form = Buffer.from(Buffer.from(`u:${secret}:x`).toString('base64')).toString('base64');
    const hidden = Buffer.from(Buffer.from(secret).toString('base64')).toString('base64');
    for (const size of [1, 2, 3, 5]) {
      const told = shown(form.match(new RegExp(`.{1,${size}}`, 'g'))!.map(piece => event(piece)));
      assert.match(told, /••••••/);
      for (let at = 0; at + 10 <= hidden.length; at++) assert.ok(!told.includes(hidden.slice(at, at + 10)), told);
    }
  });

  test('in the parts of one event, of several, and at every border of both', () => {
    const parts = (...texts: readonly string[]): string =>
      JSON.stringify({ artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: texts.map(text => ({ text })) } } });
    for (let first = 1; first < secret.length; first++) {
      for (let second = first; second < secret.length; second++) {
        const [one, two, three] = [`say ${secret.slice(0, first)}`, secret.slice(first, second), `${secret.slice(second)} now`];
        for (const events of [
          [parts(one), parts(two, three)],
          [parts(one, two), parts(three)],
          [parts('a', one), parts(two), parts(three, 'b')],
        ])
          begins(secret, shown(events).replace(/^a|b$/g, ''));
        assert.equal(shown([parts(one, two, three)]), 'say •••••• now');
      }
    }
    assert.equal(shown([parts(...secret), parts('x', ...secret)]), '••••••x••••••');
  });

  test('what is in several parts or events and no secret comes out as it went in, at once', () => {
    const all = [
      JSON.stringify({ parts: [{ text: 'c4n' }, { text: '"r' }, { text: 'x' }] }),
      event('c4'),
      event('n"'),
      JSON.stringify({ parts: [{ text: 'c' }, { text: '4' }] }),
      event('c'),
      event('4n"r'),
      words('c4n'),
      event('ary c4'),
      '{ "text" : "c4n" , "n": 1.50 }',
    ];
    assert.deepEqual(tell(all), all);
  });

  test('between the pieces of two artifacts, and of words about the task', () => {
    const all = [...secret].flatMap(character => [event(character, 'a'), event(character, 'b'), words('.'), JSON.stringify({ other: 1 })]);
    const told = tell(all);
    assert.equal(told.length, all.length);
    assert.equal(textsOf(told).join('').replaceAll('.', ''), 'cc44nn""rr••••••••••••');
  });

  test('a beginning is masked from six characters on, and not what may be words', () => {
    const of = (...values: readonly string[]): SecretValues => {
      const found = new SecretValues();
      for (const each of values) found.add(each);
      return found;
    };
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), JSON.stringify(secret).slice(1, -1)])
      for (let at = 6; at < form.length; at++) assert.equal(shown([event(`say ${form.slice(0, at)}`)]), 'say ••••••', form.slice(0, at));
    assert.equal(shown([event(`say ${Buffer.from(secret).toString('base64').slice(0, 10)}`)]), 'say ••••••');
    assert.equal(shown([event(`say ${secret.slice(0, 5)}`)]), `say ${secret.slice(0, 5)}`);
    const named = of('password-of-Ann', 'Bearer t0ken-of-it', '20261123', '&hellip;-is-it');
    for (const word of ['pass', 'password', 'password-of', 'Bearer', '20261'])
      assert.deepEqual(tell([event(`say ${word}`)], named), [event(`say ${word}`)]);
    for (const beginning of ['password-of-A', 'Bearer t0ken', '202611'])
      assert.equal(textsOf(tell([event(`say ${beginning}`)], named)).join(''), 'say ••••••');
  });

  test('what goes on after a masked beginning and is no secret is shown', () => {
    assert.equal(shown([event('say c4n"ry/'), event('other'), event(' words')]), 'say ••••••other words');
  });

  test('what was taken out is told', () => {
    const split = new SplitSecrets(secrets);
    const removed: string[] = [];
    for (const piece of ['say c4', 'n"ry/', 'split-é', '1 now']) split.mask(event(piece), text => removed.push(text));
    assert.deepEqual(removed, ['n"ry/', 'split-é', '1']);
  });

  test('the ends of so many artifacts are remembered, of more the last ones', () => {
    const split = new SplitSecrets(secrets);
    for (let index = 0; index < 65; index++) split.mask(event(secret.slice(0, 5), `a${index}`));
    const rest = (artifactId: string): string => textsOf([split.mask(event(secret.slice(5), artifactId))])[0]!;
    assert.deepEqual([rest('a0'), rest('a64')], [secret.slice(5), '••••••']);
  });
});
