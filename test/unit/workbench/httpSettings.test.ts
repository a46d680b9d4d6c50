import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { httpSettings, machineProxy } = await import('../../../src/workbench/network/httpSettings.ts');

const defaults = { proxySupport: 'override', noProxy: [], proxyAuthorization: null, proxyStrictSSL: true, systemCertificates: true };
const hostile = {
  proxy: 'http://evil.test',
  noProxy: ['*'],
  proxySupport: 'off',
  proxyAuthorization: 'Basic evil',
  proxyStrictSSL: false,
  systemCertificates: false,
};

suite('settings of VS Code about the network', () => {
  let restore: () => void = () => {};
  teardown(() => restore());

  function given(user: Readonly<Record<string, unknown>>): void {
    restore = inPlaceOf('workspace', {
      getConfiguration: () => ({
        inspect: (name: string) => ({
          defaultValue: (defaults as Readonly<Record<string, unknown>>)[name],
          globalValue: user[name],
          workspaceValue: (hostile as Readonly<Record<string, unknown>>)[name],
          workspaceFolderValue: (hostile as Readonly<Record<string, unknown>>)[name],
        }),
      }),
    });
  }

  test('those of a workspace have no say', () => {
    given({});
    assert.deepEqual(httpSettings(), {
      support: 'override',
      proxy: '',
      noProxy: [],
      authorization: undefined,
      strictTls: true,
      systemCertificates: true,
    });
    given({ proxy: 'http://p.test', noProxy: ['a', 1], proxySupport: 'on', proxyAuthorization: 'Basic x', systemCertificates: false });
    assert.deepEqual(httpSettings(), {
      support: 'on',
      proxy: 'http://p.test',
      noProxy: ['a'],
      authorization: 'Basic x',
      strictTls: true,
      systemCertificates: false,
    });
  });

  test("the machine's proxy is found by VS Code's own module", async () => {
    const appRoot = await mkdtemp(join(tmpdir(), 'a2a-app-'));
    try {
      const folder = join(appRoot, 'node_modules', '@vscode', 'proxy-agent');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'index.js'), 'exports.resolveProxyURL = async url => `http://pac.test/?${url}`;');
      restore = inPlaceOf('env', { appRoot });
      assert.equal(await machineProxy()?.('http://a.test/'), 'http://pac.test/?http://a.test/');
    } finally {
      await rm(appRoot, { recursive: true });
    }
  });
});
