import * as assert from 'node:assert/strict';
import { isIP, type LookupFunction } from 'node:net';
import { environmentNetwork } from '../../../src/client/network/chooseProxy.ts';
import type { Network } from '../../../src/client/network/network.ts';
import { readRemoteFile, type RemoteFileOptions } from '../../../src/client/http/remoteFile.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { ForwardProxy } from '../../support/client/forwardProxy.ts';
import { OpenThings } from '../../support/client/openThings.ts';

suite('files that agents refer to', () => {
  const open = new OpenThings();
  teardown(() => open.close());
  const near = { agentUrl: 'http://localhost:1/' };
  const codeOf = (address: string, options: RemoteFileOptions = near): Promise<string> =>
    readRemoteFile(address, options).then(
      () => 'read',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );

  test('are read with nothing that tells who asks, through redirects of their own origin', async () => {
    const asked: object[] = [];
    const url = await open.web((request, response) => {
      const { authorization, cookie } = request.headers;
      asked.push({ path: request.url, authorization, cookie });
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.writeHead(200, { 'content-type': 'image/PNG; x=y' }).end(Buffer.from([0, 255]));
    });
    const file = await readRemoteFile(`${url.replace('http://', 'http://me:secret@')}a`, near);
    assert.deepEqual({ bytes: [...file.bytes], mediaType: file.mediaType }, { bytes: [0, 255], mediaType: 'image/png' });
    assert.deepEqual(
      asked,
      ['/a', '/b'].map(path => ({ path, authorization: undefined, cookie: undefined })),
    );
  });

  test('another origin, a refusal, too much and other schemes are said', async () => {
    const beside = await open.web((_, response) => void response.end('of another program'));
    const url = await open.web((request, response) => {
      if (request.url === '/port') response.writeHead(302, { location: beside }).end();
      else if (request.url === '/away') response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end();
      else if (request.url === '/large') response.end(Buffer.alloc(8 * 1024 * 1024 + 1));
      else response.writeHead(403).end();
    });
    assert.deepEqual(
      [
        await codeOf(`${url}port`),
        await codeOf(`${url}away`),
        await codeOf(`${url}no`),
        await codeOf(`${url}large`),
        await codeOf('file:///etc/passwd'),
        await codeOf('nowhere'),
      ],
      ['file-elsewhere', 'file-elsewhere', 'file-refused', 'file-too-large', 'bad-link', 'bad-link'],
    );
  });

  /** Every name is at these addresses, one after the other. */
  const resolvesTo = (...addresses: readonly string[]): LookupFunction => {
    let asked = 0;
    return (_host, { all }, callback) => {
      const address = addresses[Math.min(asked++, addresses.length - 1)]!;
      const family = isIP(address);
      if (all === true) callback(null, [{ address, family }]);
      else callback(null, address, family);
    };
  };

  test('on this machine and in its network are left alone, unless the agent is there', async () => {
    const asked: string[] = [];
    const url = await open.web((request, response) => {
      asked.push(request.url!);
      if (request.url === '/again') response.writeHead(302, { location: '/there' }).end();
      else response.end('secret');
    });
    const { port } = new URL(url);
    const far = { agentUrl: 'http://93.184.215.14/' };
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '[::]',
      'localhost',
      '169.254.169.254',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '100.100.100.200',
      '168.63.129.16',
      '10.0.0.1',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '[fc00::1]',
    ])
      assert.equal(await codeOf(`http://${host}:${port}/`, far), 'file-inside', host);
    for (const host of ['169.254.169.254', '0.0.0.0', '10.0.0.1'])
      assert.equal(await codeOf(`http://${host}:${port}/`), 'file-inside', host);
    assert.equal(await codeOf(`http://files.example:${port}/`, { ...far, lookup: resolvesTo('127.0.0.1') }), 'file-inside');
    const toBoth: LookupFunction = (_host, { all }, callback) => {
      if (all === true)
        callback(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '93.184.215.14', family: 4 },
        ]);
      else callback(null, '127.0.0.1', 4);
    };
    assert.equal(
      await codeOf(`http://files.example:${port}/`, { ...far, lookup: toBoth }),
      'file-inside',
      'one address of several is enough',
    );
    assert.equal(
      await codeOf(`http://0.0.0.0:${port}/`, { agentUrl: `http://0.0.0.0:${port}/` }),
      'file-inside',
      'nobody has files there, wherever the agent is',
    );
    assert.deepEqual(asked, []);
    assert.equal(await codeOf(url), 'read');
    assert.equal(await codeOf(`http://files.example:${port}/`, { ...near, lookup: resolvesTo('127.0.0.1') }), 'read');
    assert.equal(
      await codeOf(`http://files.example:${port}/again`, {
        agentUrl: 'http://127.0.0.1/',
        lookup: resolvesTo('127.0.0.1', '169.254.169.254'),
      }),
      'file-inside',
    );
  });

  test('through a proxy: a name that it alone knows is read, one that leads inside here is refused', async () => {
    const proxy = new ForwardProxy();
    const address = await proxy.start();
    try {
      const { port } = new URL(await open.web((_request, response) => response.end('file')));
      const network = (): Promise<Network> => Promise.resolve(environmentNetwork({ HTTP_PROXY: address }));
      const unknown = ((_host, _options, callback) =>
        callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 0)) as LookupFunction;
      const inside = ((host, _options, callback) =>
        callback(null, [{ address: host === 'agent.test' ? '93.184.215.14' : '10.0.0.7', family: 4 }] as never, 4)) as LookupFunction;
      const far = { agentUrl: 'https://agent.test/', network };
      assert.equal(await codeOf(`http://files.test:${port}/a`, { ...far, lookup: unknown }), 'read');
      assert.deepEqual(proxy.forwarded, [`http://files.test:${port}/a`]);
      assert.equal(await codeOf(`http://files.test:${port}/a`, { ...far, lookup: inside }), 'file-inside');
      assert.equal(await codeOf(`http://169.254.169.254:${port}/a`, { ...far, lookup: unknown }), 'file-inside');
      assert.equal(proxy.forwarded.length, 1);
    } finally {
      await proxy.stop();
    }
  });
});
