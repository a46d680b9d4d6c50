import * as assert from 'node:assert/strict';
import { isDirect } from '../../../src/client/network/noProxy.ts';

type Case = readonly [list: string, url: string, direct: boolean];

const cases: readonly Case[] = [
  // Nothing listed
  ['', 'https://a.example', false],
  [' , ,', 'https://a.example', false],
  // Everything
  ['*', 'https://a.example', true],
  ['*', 'http://10.0.0.1', true],
  ['*', 'http://[2001:db8::1]', true],
  ['b.example, *', 'https://a.example', true],
  // This machine is never proxied
  ['', 'http://localhost:3000', true],
  ['', 'http://agent.localhost', true],
  ['', 'http://127.0.0.1', true],
  ['', 'http://127.8.9.1:99', true],
  ['', 'http://[::1]:3000', true],
  // Names
  ['a.example', 'https://a.example', true],
  ['A.EXAMPLE', 'https://a.example', true],
  ['a.example', 'https://A.Example', true],
  ['a.example', 'https://b.a.example', true],
  ['a.example', 'https://c.b.a.example', true],
  ['a.example', 'https://ba.example', false],
  ['a.example', 'https://a.example.org', false],
  ['a.example', 'https://example', false],
  ['b.a.example', 'https://a.example', false],
  ['a.example.', 'https://a.example', true],
  ['a.example', 'https://a.example.', true],
  ['example', 'https://a.example', true],
  ['internal', 'http://internal', true],
  ['intern', 'http://internal', false],
  // Leading dot and wildcard
  ['.a.example', 'https://b.a.example', true],
  ['.a.example', 'https://a.example', true],
  ['.a.example', 'https://ba.example', false],
  ['*.a.example', 'https://b.a.example', true],
  ['*.a.example', 'https://c.b.a.example', true],
  ['*.a.example', 'https://ba.example', false],
  ['.', 'https://a.example', false],
  ['*.', 'https://a.example', false],
  // A wildcard elsewhere is not one
  ['a.*', 'https://a.example', false],
  ['*a.example', 'https://ba.example', false],
  ['a*.example', 'https://ab.example', false],
  // Separators
  ['a.example,b.example', 'https://b.example', true],
  ['a.example, b.example', 'https://b.example', true],
  ['a.example b.example', 'https://b.example', true],
  ['a.example\tb.example\n', 'https://b.example', true],
  ['a.example;b.example', 'https://b.example', false],
  // Ports
  ['a.example:8080', 'http://a.example:8080', true],
  ['a.example:8080', 'http://a.example:8081', false],
  ['a.example:8080', 'http://a.example', false],
  ['a.example:80', 'http://a.example', true],
  ['a.example:443', 'https://a.example', true],
  ['a.example:443', 'http://a.example', false],
  ['a.example', 'http://a.example:8080', true],
  ['.a.example:8080', 'http://b.a.example:8080', true],
  ['*.a.example:8080', 'http://b.a.example:8081', false],
  ['10.0.0.1:8080', 'http://10.0.0.1:8080', true],
  ['10.0.0.1:8080', 'http://10.0.0.1', false],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080', true],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]', false],
  // Addresses
  ['10.0.0.1', 'http://10.0.0.1', true],
  ['10.0.0.1', 'http://10.0.0.10', false],
  ['10.0.0', 'http://10.0.0.1', false],
  ['0.1', 'http://10.0.0.1', false],
  ['.0.0.1', 'http://10.0.0.1', false],
  ['10.0.0.1', 'http://10.0.0.1.example', false],
  ['2001:db8::1', 'http://[2001:db8::1]', true],
  ['[2001:db8::1]', 'http://[2001:db8::1]', true],
  ['2001:DB8:0:0::1', 'http://[2001:db8::1]', true],
  ['2001:db8::1', 'http://[2001:db8::2]', false],
  // Blocks
  ['10.0.0.0/8', 'http://10.200.3.4', true],
  ['10.0.0.0/8', 'http://11.0.0.1', false],
  ['10.1.2.3/8', 'http://10.200.3.4', true],
  ['192.168.1.0/24', 'http://192.168.1.255', true],
  ['192.168.1.0/24', 'http://192.168.2.0', false],
  ['192.168.1.0/25', 'http://192.168.1.128', false],
  ['192.168.1.7/32', 'http://192.168.1.7', true],
  ['0.0.0.0/0', 'http://8.8.8.8', true],
  ['0.0.0.0/0', 'http://a.example', false],
  ['0.0.0.0/0', 'http://[2001:db8::1]', false],
  ['2001:db8::/32', 'http://[2001:db8:5::1]', true],
  ['2001:db8::/32', 'http://[2001:db9::1]', false],
  ['10.0.0.0/33', 'http://10.0.0.1', false],
  ['10.0.0.0/-1', 'http://10.0.0.1', false],
  ['10.0.0.0/x', 'http://10.0.0.1', false],
  ['10.0.0.0/', 'http://10.0.0.0', false],
  ['10.0.0.0/8/8', 'http://10.0.0.1', false],
  ['a.example/8', 'http://a.example', false],
];

suite('NO_PROXY', () => {
  for (const [list, url, direct] of cases)
    test(`${JSON.stringify(list)}: ${url} goes ${direct ? 'directly' : 'through the proxy'}`, () =>
      assert.equal(isDirect(new URL(url), list), direct));
});
