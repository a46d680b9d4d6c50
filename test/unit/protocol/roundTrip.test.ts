import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { collect } from '../../../src/protocol/finding.ts';
import { operations, type Operation, type OperationParams, type UnaryOperation } from '../../../src/protocol/message/operations.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readResult, readStreamResponse } from '../../../src/protocol/versions/index.ts';
import { unsupportedFields, type UnsupportedField } from '../../../src/protocol/versions/shared/unsupportedFields.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { caught, figure, full, seed } from '../../support/figure.ts';
import { has } from '../../support/protocol/operationsOf.ts';
import { CoreValues } from '../../support/protocol/coreValues.ts';
import { forms } from '../../support/protocol/forms.ts';
import { Random } from '../../support/protocol/random.ts';
import { Sayable } from '../../support/protocol/sayable.ts';

/** Seeds, from {@link seed} on. */
const rounds = full ? 1500 : 20;
/** Of them the first that shows a loss counts: it is a matter of luck which one that is. */
const roundsForLoss = 1500;
const onWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Undefined for a message that the generation cannot send at all. */
function writtenParams<O extends Operation>(version: Version, operation: O, params: OperationParams[O]): unknown {
  try {
    return version.writeParams(operation, params);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'no-input' || !version.unsupported.includes('input-alone')) throw error;
    return undefined;
  }
}

interface Trip {
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly findings: readonly unknown[];
}

/** Core to wire to core, of everything that the generation has; what it cannot say is taken from both ends. */
function* trips(version: Version, seed: number, cannotSay = version.unsupported): Generator<Trip> {
  const values = new CoreValues(new Random(seed));
  const sayable = new Sayable(cannotSay);
  const said = (operation: Operation): boolean => has(version, operation);

  const params = values.params();
  for (const operation of operations.filter(said)) {
    const { note, findings } = collect();
    const written = writtenParams(version, operation, params[operation]);
    if (written === undefined) continue;
    const read = version.readParams(operation, onWire(written), note);
    yield {
      name: `${operation} params`,
      expected: sayable.params(operation, params[operation]),
      actual: sayable.params(operation, read),
      findings,
    };
  }

  const results = values.results();
  for (const operation of (Object.keys(results) as UnaryOperation[]).filter(said)) {
    const { note, findings } = collect();
    const read = readResult(operation, onWire(version.writeResult(operation, results[operation])), version, note);
    yield {
      name: `${operation} result`,
      expected: sayable.result(operation, results[operation]),
      actual: sayable.result(operation, read),
      findings,
    };
  }

  const event = values.event();
  const { note, findings } = collect();
  const read = readStreamResponse(onWire(version.writeStreamResponse(event)), version, note);
  // Core may lack the context of an update, 1.0 may not: that finding is right.
  const lacking =
    ('statusUpdate' in event && event.statusUpdate.contextId === undefined) ||
    ('artifactUpdate' in event && event.artifactUpdate.contextId === undefined);
  yield {
    name: 'event',
    expected: sayable.event(event),
    actual: sayable.event(read),
    findings: lacking ? findings.filter(({ rule }) => rule !== 'DATA-06') : findings,
  };
}

suite('round trip', function () {
  // Much to compute: on a machine that others use as well it takes longer than other unit tests may.
  this.timeout(60_000);
  for (const { name: form, version } of forms) {
    suite(form, () => {
      test('core to wire to core is the same, but for what the row says it cannot say', () => {
        let count = 0;
        for (let at = seed; at < seed + rounds; at++) {
          for (const { name, expected, actual, findings } of trips(version, at)) {
            assert.deepEqual(actual, expected, `${name}, seed ${at}`);
            assert.deepEqual(findings, [], `${name}, seed ${at}`);
            count++;
          }
        }
        figure('F31', { 'round trips': count }, `${count} round trips in the form ${form}`);
      });

      for (const unsayable of version.unsupported) {
        test(`it really cannot say: ${unsayable}`, () => {
          const others = version.unsupported.filter(other => other !== unsayable);
          const differs = (at: number): boolean =>
            [...trips(version, at, others)].some(({ expected, actual }) => !isDeepStrictEqual(actual, expected));
          assert.ok(Array.from({ length: roundsForLoss }, (_, index) => seed + index).some(differs));
          caught('F31', 'a protocol version that does not own up to what it cannot say');
        });
      }
    });
  }

  test('nothing is unsayable that every generation says', () => {
    const named = new Set(forms.flatMap(({ version }) => version.unsupported));
    assert.deepEqual(
      (Object.keys(unsupportedFields) as UnsupportedField[]).filter(name => !named.has(name)),
      [],
    );
  });
});
