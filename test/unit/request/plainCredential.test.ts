import * as assert from 'node:assert/strict';
import { headerPlaceholder } from '../../../src/request/export/placeholder.ts';
import { piecesOf } from '../../../src/request/text/pieced.ts';
import { headerPieces } from '../../../src/request/template/headerTemplate.ts';
import { escapedBraces } from '../../../src/request/template/template.ts';
import { plainCredential } from '../../../src/request/template/plainCredential.ts';

suite('credentials in plain text', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const found: readonly (readonly [header: string, value: string, scheme: string, credential: string])[] = [
    ['Authorization', 'Bearer abc', 'Bearer ', 'abc'],
    ['authorization', 'abc', '', 'abc'],
    ['Authorization', 'Basic YTpi', 'Basic ', 'YTpi'],
    ['X-API-Key', '1', '', '1'],
    ['Cookie', 'sid=1; theme=dark', '', 'sid=1; theme=dark'],
    ['X-Custom', jwt, '', jwt],
    ['X-Custom', `Bearer ${jwt}`, 'Bearer ', jwt],
    ['X-Custom', 'ghp_0123456789abcdefghij', '', 'ghp_0123456789abcdefghij'],
    ['X-Custom', 'AKIAIOSFODNN7EXAMPLE', '', 'AKIAIOSFODNN7EXAMPLE'],
    ['X-Custom', '0123456789abcdef0123456789abcdef', '', '0123456789abcdef0123456789abcdef'],
  ];
  for (const [header, value, scheme, credential] of found)
    test(`${header}: ${value}`, () => assert.deepEqual(plainCredential(header, value), { scheme, credential }));

  const others: readonly (readonly [header: string, value: string])[] = [
    ['Authorization', 'Bearer {{$secret KEY}}'],
    ['X-API-Key', '{{$env KEY}}'],
    ['Authorization', ''],
    ['Authorization', 'Bearer '],
    ['X-Team', 'harbour'],
    ['Accept-Language', 'en-GB,en;q=0.5'],
    ['X-Trace', 'on'],
    ['User-Agent', 'a client of ours with a long name, version 12'],
  ];
  for (const [header, value] of others) test(`not ${header}: ${value}`, () => assert.equal(plainCredential(header, value), undefined));

  test('a header has secrets, variables and text, and everything else is pointed out', () => {
    assert.deepEqual(headerPieces('a {{$secret x y}}{{ $env B }}\\{{c}} {{d.e}} {{$file f}} {{$secret}}'), [
      { kind: 'text', text: 'a ' },
      { kind: 'secret', name: 'x y' },
      { kind: 'env', name: 'B' },
      { kind: 'text', text: '{{c}} ' },
      { kind: 'other', text: 'd.e' },
      { kind: 'text', text: ' ' },
      { kind: 'other', text: '$file f' },
      { kind: 'text', text: ' ' },
      { kind: 'other', text: '$secret' },
    ]);
    for (const text of ['{{$secret x}}', 'a {{b}} {{', 'plain'])
      assert.equal(
        headerPieces(escapedBraces(text))
          .map(piece => ('text' in piece ? piece.text : '?'))
          .join(''),
        text,
      );
  });

  test('exports have the names of secrets, and never what stands in the settings', () => {
    const shown = (header: string, value: string): string =>
      piecesOf(headerPlaceholder(header, value))
        .map(piece => ('text' in piece ? piece.text : `$${piece.variable}`))
        .join('');
    assert.equal(shown('Authorization', 'Bearer {{$secret api-key}}'), 'Bearer $A2A_SECRET_API_KEY');
    assert.equal(shown('X-Team', '{{$env TEAM}}'), '$TEAM');
    assert.equal(shown('Authorization', 'Bearer abc'), '$A2A_SECRET_AUTHORIZATION');
    assert.equal(shown('Authorization', 'half{{$secret x}}'), '$A2A_SECRET_AUTHORIZATION');
  });
});
