import * as assert from 'node:assert/strict';
import { Failure } from '../../scripts/failure.ts';
import { readStartOptions, startUsage, type StartOptions } from '../../scripts/startOptions.ts';

const none: StartOptions = { help: false, server: false, port: undefined };

suite('options of npm start', () => {
  const read: readonly (readonly [words: string, wanted: StartOptions])[] = [
    ['', none],
    ['--help', { ...none, help: true }],
    ['-h', { ...none, help: true }],
    ['--server', { ...none, server: true }],
    ['--port 8080', { ...none, server: true, port: 8080 }],
    ['--port=0', { ...none, server: true, port: 0 }],
  ];
  for (const [words, wanted] of read) {
    test(words || 'none', () => assert.deepEqual(readStartOptions(words.split(' ').filter(Boolean)), wanted));
  }

  const refused: readonly (readonly [words: string, why: RegExp])[] = [
    ['--desktop', /^Unknown option '--desktop'\.$/],
    ['-x', /^Unknown option '-x'\.$/],
    ['somewhere', /^Unexpected argument 'somewhere'\.$/],
    ['--server=yes', /'--server' does not take an argument\.$/],
    ['--port', /'--port <value>' argument missing\.$/],
    ['--port eighty', /^--port eighty is not a port\.$/],
    ['--port 65536', /^--port 65536 is not a port\.$/],
  ];
  for (const [words, why] of refused) {
    test(`${words} is refused with the next step`, () =>
      assert.throws(
        () => readStartOptions(words.split(' ')),
        (error: unknown) => {
          assert.ok(error instanceof Failure);
          assert.match(error.message, why);
          assert.ok(error.nextStep.length > 10 && !error.nextStep.includes('\n'), error.nextStep);
          return true;
        },
      ));
  }

  test('the usage names every option', () => {
    for (const option of ['--help', '--server', '--port']) assert.ok(startUsage.includes(`  ${option}`), option);
  });
});
