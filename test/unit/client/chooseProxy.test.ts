import * as assert from 'node:assert/strict';
import {
  chooseProxy,
  noSettings,
  type Environment,
  type ProxyResolver,
  type ProxySettings,
} from '../../../src/client/network/chooseProxy.ts';
import { ProxyFailure } from '../../../src/client/network/proxyFailure.ts';
import { english } from '../../../src/protocol/problem.ts';

interface Case {
  readonly what: string;
  readonly url?: string;
  readonly settings?: Partial<ProxySettings>;
  readonly environment?: Environment;
  readonly resolver?: ProxyResolver;
  /** Address and Proxy-Authorization. */
  readonly expected: string | undefined;
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const set = { proxy: 'http://set.test:1' };
const environment = { HTTP_PROXY: 'http://plain.test:2', HTTPS_PROXY: 'http://secure.test:3', ALL_PROXY: 'http://all.test:4' };

const cases: readonly Case[] = [
  { what: 'nothing is configured', expected: undefined },
  { what: 'the setting', settings: set, expected: 'http://set.test:1' },
  { what: 'the setting before the variables', settings: set, environment, expected: 'http://set.test:1' },
  { what: 'the setting before the machine', settings: set, resolver: async () => 'http://pac.test', expected: 'http://set.test:1' },
  { what: 'the machine before the variables', environment, resolver: async () => 'http://pac.test:9', expected: 'http://pac.test:9' },
  { what: 'a machine without a proxy', environment, resolver: async () => undefined, expected: 'http://secure.test:3' },
  { what: 'a resolver that fails', environment, resolver: () => Promise.reject(new Error('no')), expected: 'http://secure.test:3' },
  { what: 'HTTPS_PROXY', environment, expected: 'http://secure.test:3' },
  { what: 'HTTP_PROXY', url: 'http://a.test', environment, expected: 'http://plain.test:2' },
  { what: 'ALL_PROXY', environment: { ALL_PROXY: 'all.test:4' }, expected: 'http://all.test:4' },
  { what: 'lower case first', environment: { https_proxy: 'low.test', HTTPS_PROXY: 'up.test' }, expected: 'http://low.test' },
  { what: 'an empty variable', environment: { https_proxy: '', HTTPS_PROXY: ' ', ALL_PROXY: 'all.test' }, expected: 'http://all.test' },
  { what: 'support off', settings: { ...set, support: 'off' }, environment, resolver: async () => 'http://pac.test', expected: undefined },
  { what: 'support on', settings: { ...set, support: 'on' }, expected: 'http://set.test:1' },
  { what: 'support fallback', settings: { ...set, support: 'fallback' }, expected: 'http://set.test:1' },
  { what: 'localhost', url: 'http://localhost:8', settings: set, expected: undefined },
  { what: '127.0.0.0/8', url: 'https://127.3.2.1', settings: set, expected: undefined },
  { what: '::1', url: 'http://[::1]:8', settings: set, expected: undefined },
  { what: 'http.noProxy', settings: { ...set, noProxy: ['b.test', '*.a.test', '.a.test', 'a.test'] }, expected: undefined },
  { what: 'http.noProxy with a block', url: 'http://10.1.2.3', settings: { ...set, noProxy: ['10.0.0.0/8'] }, expected: undefined },
  { what: 'NO_PROXY', settings: set, environment: { NO_PROXY: 'a.test' }, expected: undefined },
  { what: 'no_proxy', settings: set, environment: { no_proxy: 'a.test', NO_PROXY: 'b.test' }, expected: undefined },
  {
    what: 'http.noProxy instead of NO_PROXY, as VS Code has it',
    settings: { ...set, noProxy: ['b.test'] },
    environment: { NO_PROXY: 'a.test' },
    expected: 'http://set.test:1',
  },
  {
    what: 'user and password',
    settings: { proxy: 'http://al%40ice:p%3Aw@set.test:1' },
    expected: `http://set.test:1 ${basic('al@ice:p:w')}`,
  },
  { what: 'a password with a lone %', settings: { proxy: 'http://a:100%@set.test' }, expected: `http://set.test ${basic('a:100%')}` },
  {
    what: 'http.proxyAuthorization before those of the address',
    settings: { proxy: 'http://a:b@set.test', authorization: 'Bearer x' },
    expected: 'http://set.test Bearer x',
  },
  { what: 'a proxy with TLS', settings: { proxy: 'https://set.test' }, expected: 'https://set.test' },
];

const refused: readonly (readonly [what: string, settings: Partial<ProxySettings>, RegExp])[] = [
  ['a SOCKS proxy', { proxy: 'socks5://u:canary@set.test:1' }, /^The proxy in http\.proxy is one for socks5,/],
  ['no address', { proxy: 'http://canary@:x' }, /^The address of the proxy in http\.proxy cannot be read\.$/],
  ['credentials that no header may have', { ...set, authorization: 'Basic canary\nX: 1' }, /characters that HTTP does not allow/],
];

suite('which proxy', () => {
  for (const { what, url = 'https://a.test/x', settings, environment: variables = {}, resolver, expected } of cases)
    test(what, async () => {
      const proxy = await chooseProxy(new URL(url), { ...noSettings, ...settings }, variables, resolver);
      assert.equal(proxy && [proxy.url.origin, proxy.authorization].filter(Boolean).join(' '), expected);
    });

  for (const [what, settings, expected] of refused)
    test(`${what} is refused without saying it`, async () => {
      const error: unknown = await chooseProxy(new URL('http://a.test'), { ...noSettings, ...settings }, {}).catch(
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ProxyFailure);
      assert.match(english(error.what), expected);
      assert.doesNotMatch(`${error.message} ${english(error.what)} ${error.details}`, /canary/);
    });
});
