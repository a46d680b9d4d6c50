import * as assert from 'node:assert/strict';
import { selectorLabel } from '../../../src/workbench/platform/interfaceNames.ts';

suite('names of interfaces', () => {
  test('a wish is said in the words it has', () => {
    assert.deepEqual(
      [selectorLabel({ protocolVersion: '0.3' }), selectorLabel({ url: 'http://a', protocolBinding: 'GRPC', protocolVersion: '1.0' })],
      ['0.3', 'GRPC 1.0 http://a'],
    );
  });
});
