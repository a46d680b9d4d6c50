import * as assert from 'node:assert/strict';
import { caught, figure, full } from '../../support/figure.ts';
import { fuzzChecks } from '../../support/conformance/fuzzChecks.ts';

const answers = full ? 100_000 : 4_000;

suite('passive checks on spoilt answers', function () {
  // What takes for ever is ended by this.
  this.timeout(full ? 20 * 60_000 : 120_000);

  test('none throws, and none takes for ever', () => {
    const { answers: checked, findings } = fuzzChecks(0, answers);
    figure(
      'F24',
      { 'spoilt answers': checked, 'checks that threw': 0 },
      `${checked} spoilt answers, ${findings} findings (seeds 0 to ${answers - 1})`,
    );
    assert.equal(checked, answers);
    assert.ok(findings > answers / 10, `${findings} findings`);
  });

  test('a check that trusts what it gets is caught', () => {
    const trusting = (json: unknown): void => void (json as { readonly result: { readonly task: { readonly id: string } } }).result.task.id;
    assert.throws(() => fuzzChecks(0, 100, trusting), /^Error: seed \d+/);
    caught('F24', 'a check that trusts what it gets');
  });
});
