import * as assert from 'node:assert/strict';
import { readRemoteFile } from '../../../src/client/remoteFile.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { OpenThings } from '../../unit/client/support/openThings.ts';

suite('files that agents refer to', () => {
  const open = new OpenThings();
  teardown(() => open.close());
  const codeOf = (address: string): Promise<string> => readRemoteFile(address, open.http()).then(() => 'read', (error: unknown) => (error instanceof Problem ? error.code : String(error)));

  test('are read with nothing that tells who asks, through redirects of their own origin', async () => {
    const asked: object[] = [];
    const url = await open.web((request, response) => {
      const { authorization, cookie } = request.headers;
      asked.push({ path: request.url, authorization, cookie });
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.writeHead(200, { 'content-type': 'image/PNG; x=y' }).end(Buffer.from([0, 255]));
    });
    const file = await readRemoteFile(`${url.replace('http://', 'http://me:secret@')}a`, open.http());
    assert.deepEqual({ bytes: [...file.bytes], mediaType: file.mediaType }, { bytes: [0, 255], mediaType: 'image/png' });
    assert.deepEqual(asked, ['/a', '/b'].map(path => ({ path, authorization: undefined, cookie: undefined })));
  });

  test('another origin, a refusal, too much and other schemes are said', async () => {
    const url = await open.web((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end();
      else if (request.url === '/large') response.end(Buffer.alloc(8 * 1024 * 1024 + 1));
      else response.writeHead(403).end();
    });
    assert.deepEqual(
      [await codeOf(`${url}away`), await codeOf(`${url}no`), await codeOf(`${url}large`), await codeOf('file:///etc/passwd'), await codeOf('nowhere')],
      ['file-elsewhere', 'file-refused', 'file-too-large', 'bad-link', 'bad-link']);
  });
});
