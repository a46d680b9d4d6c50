import * as assert from 'node:assert/strict';
import { readEnvironments } from '../../../src/request/environment/environments.ts';
import { noDefaults } from '../../../src/request/file/folderDefaults.ts';
import type { Around } from '../../../src/workbench/requests/values/fileEnvironments.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { FileEnvironments } = await import('../../../src/workbench/requests/values/fileEnvironments.ts');

suite('environments of request files', () => {
  const uri = { scheme: 'file', fsPath: '/w/a.a2a', path: '/w/a.a2a' } as never;
  const quiet = new EventEmitter<unknown>();
  let restore: () => void;
  let onDisk: EventEmitter<unknown>;
  setup(() => {
    onDisk = new EventEmitter();
    restore = inPlaceOf('workspace', {
      isTrusted: true,
      getWorkspaceFolder: () => undefined,
      onDidGrantWorkspaceTrust: quiet.event,
      createFileSystemWatcher: () => ({
        onDidCreate: quiet.event,
        onDidChange: onDisk.event,
        onDidDelete: quiet.event,
        dispose: () => {},
      }),
    });
  });
  teardown(() => restore());

  const around = (name: string): Around => ({
    environments: readEnvironments([{ path: 'a2a.env.json', text: JSON.stringify({ [name]: {} }), isPrivate: false } as never]),
    defaults: noDefaults,
  });

  for (const [what, ask] of [
    ['as an editor asks', 'of'],
    ['as a sending asks', 'read'],
  ] as const)
    test(`what was read before a file changed does not stay, ${what}`, async () => {
      const readings: ((of: Around) => void)[] = [];
      const environments = new FileEnvironments({ get: () => undefined } as never, () => new Promise(resolve => readings.push(resolve)));
      const asked = environments[ask](uri);
      assert.equal(readings.length, 1);
      onDisk.fire(undefined);
      // A view asks again when it hears of the change, and the slower reading of what was there before ends last.
      environments.of(uri);
      assert.equal(readings.length, 2);
      readings[1]?.(around('new'));
      await eventually(() => assert.deepEqual(environments.of(uri).names, ['new']));
      readings[0]?.(around('old'));
      await eventually(() => assert.equal(readings.length, 3));
      readings[2]?.(around('new'));
      if (ask === 'read') assert.deepEqual((await asked).names, ['new']);
      await eventually(() => assert.deepEqual(environments.of(uri).names, ['new']));
    });
});
