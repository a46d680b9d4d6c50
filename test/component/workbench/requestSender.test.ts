import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { RequestSender } = await import('../../../src/workbench/requestSender.ts');

/** A stand-in that says what was asked of it, whatever that was. */
function noting(name: string, asked: string[]): never {
  return new Proxy({}, {
    get: (_, member) => () => {
      asked.push(`${name}.${String(member)}`);
      throw new Error('stop here');
    },
  }) as never;
}

suite('RequestSender', () => {
  let restore: () => void = () => {};
  teardown(() => restore());

  const prepare = (asked: string[]): Promise<unknown> => {
    const of = (name: string): never => noting(name, asked);
    return new RequestSender({ agents: of('agents'), sessions: of('sessions'), environments: of('environments'), secrets: of('secrets'), secretOrigins: of('secretOrigins') }).prepare(of('document'));
  };

  test('refuses to send from a workspace that is not trusted, before it reads or asks anything', async () => {
    restore = inPlaceOf('workspace', { isTrusted: false });
    const asked: string[] = [];
    await assert.rejects(prepare(asked), { code: 'untrusted' });
    assert.deepEqual(asked, []);
  });

  test('goes on from a trusted one', async () => {
    restore = inPlaceOf('workspace', { isTrusted: true });
    const asked: string[] = [];
    await assert.rejects(prepare(asked), { message: 'stop here' });
    assert.deepEqual(asked, ['environments.read']);
  });
});
