import * as assert from 'node:assert/strict';
import { partFile } from '../../../src/model/partFile.ts';

suite('the file a part makes', () => {
  const name = (filename: string | undefined, mediaType?: string): string => partFile({ text: '', filename, mediaType }, undefined).name;

  test('a version is no extension; what stands for a format is', () => {
    assert.equal(name('report v1.2'), 'report v1.2.md');
    assert.equal(name('report v1.2', 'text/plain'), 'report v1.2.txt');
    assert.deepEqual(
      ['a.md', 'a.tar.gz', 'a.mp4', 'a.7z', 'a.3gp'].map(each => name(each)),
      ['a.md', 'a.tar.gz', 'a.mp4', 'a.7z', 'a.3gp'],
    );
    assert.equal(name('Dr. Smith'), 'Dr. Smith.md');
  });

  test('a name leads nowhere and hides nothing', () => {
    assert.equal(name('../../etc/passwd'), '_.._etc_passwd.md');
    assert.equal(name('invoice\u202Efdp.exe'), 'invoice_fdp.exe');
    assert.equal(name(undefined), 'artifact.md');
    assert.equal(name('con.txt'), '_con.txt');
  });

  test('text, data and bytes become what they are', () => {
    const text = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString('utf8');
    assert.equal(text(partFile({ text: 'Grüße' }, 'note')), 'Grüße');
    assert.equal(text(partFile({ data: null }, 'note')), 'null');
    assert.deepEqual([...partFile({ raw: 'iVBO', mediaType: 'image/png' }, 'sail').bytes], [0x89, 0x50, 0x4e]);
    assert.equal(partFile({ raw: 'iVBO', mediaType: 'image/png' }, 'sail').name, 'sail.png');
  });
});
