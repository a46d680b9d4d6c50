import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReportFile } from '../../../src/cli/run/reporters/reportFile.ts';
import { isWindowsDevice, safeFileName } from '../../../src/model/fileNames.ts';

suite('devices of Windows', () => {
  let folder: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-devices-'));
  });
  teardown(() => rmSync(folder, { recursive: true }));

  for (const path of [
    'NUL',
    'nul.xml',
    'CON',
    'con .txt',
    'NUL:',
    'C:nul',
    'reports\\COM1',
    'reports/lpt¹.json',
    'C:\\reports\\aux',
    '\\\\.\\pipe\\x',
    '//./pipe/x',
    '\\\\?\\pipe\\x',
  ])
    test(`${path} is one`, () => assert.equal(isWindowsDevice(path), true));
  for (const path of [
    'nulled.xml',
    'console',
    'COM',
    'com10',
    'nul\\report.xml',
    'report.nul',
    '\\\\?\\C:\\report.xml',
    '\\\\server\\share\\x',
  ])
    test(`${path} is none`, () => assert.equal(isWindowsDevice(path), false));

  for (const name of ['NUL', 'con.xml', 'Lpt2'])
    test(`a report is written to ${name} itself there, and elsewhere to a file of that name`, () => {
      const path = join(folder, name);
      for (const [system, early] of [
        ['win32', 'report'],
        ['linux', undefined],
      ] as const) {
        const file = openReportFile(path, folder, system);
        file.write('report');
        // A file is there when it is whole, and until then another one beside it has what was written.
        assert.equal(readdirSync(folder).includes(name) ? readFileSync(path, 'utf8') : undefined, early);
        file.finish();
        assert.deepEqual([readdirSync(folder), readFileSync(path, 'utf8')], [[name], 'report']);
        rmSync(path);
      }
      assert.equal(safeFileName(name, 'x'), `_${name}`);
    });
});
