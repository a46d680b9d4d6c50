import * as assert from 'node:assert/strict';
import { withDirectionMarksSpelledOut } from '../../../src/protocol/hiddenCharacters.ts';
import { decodeEntities } from '../../../src/chat/markdown/entities.ts';
import { linkTarget } from '../../../src/chat/markdown/linkTarget.ts';
import { visible, visibleIn, visibleLines, visibleName } from '../../../src/chat/text/visible.ts';

suite('chat: names and addresses of agents', () => {
  const names: readonly (readonly [text: string, shown: string])[] = [
    ['report.pdf', 'report.pdf'],
    ['Bericht für Zoë – 報告.pdf', 'Bericht für Zoë – 報告.pdf'],
    ['invoice\u202efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
    ['a\u200bb\u2066c\ufeff', 'a⟨U+200B⟩b⟨U+2066⟩c⟨U+FEFF⟩'],
    ['a\u0000\u001b[31m\u0085', 'a⟨U+0000⟩⟨U+001B⟩[31m⟨U+0085⟩'],
    ['tag\u{e0041}', 'tag⟨U+E0041⟩'],
    ['👩‍💻 and 🏳️‍🌈', '👩‍💻 and 🏳️‍🌈'],
    ['a\u200db', 'a⟨U+200D⟩b'],
  ];
  for (const [text, shown] of names) test(`${JSON.stringify(text)} is shown as ${shown}`, () => assert.equal(visible(text), shown));

  test('running text keeps its lines and joiners, and shows what turns its direction; a whole value likewise', () => {
    assert.equal(withDirectionMarksSpelledOut('a\u202eb\u200fc\n\td\u200be\u2066'), 'a⟨U+202E⟩b⟨U+200F⟩c\n\td\u200be⟨U+2066⟩');
    assert.equal(visibleLines('a\r\nb\tc\u0000\u202e'), 'a\nb\tc⟨U+0000⟩⟨U+202E⟩');
    assert.deepEqual(visibleIn({ 'a\u202e': ['b\u202e\nc', 7, null], d: undefined }), {
      'a⟨U+202E⟩': ['b⟨U+202E⟩\nc', 7, null],
      d: undefined,
    });
  });

  test('a name is one line and not longer than wanted', () => {
    assert.equal(visibleName('  a\n\tb  '), 'a b');
    assert.equal(visibleName('x'.repeat(500), 20), `${'x'.repeat(19)}…`);
    assert.equal(visibleName('\u202e'.repeat(500), 20).length, 20);
  });

  const addresses: readonly (readonly [href: string, url: string | undefined, shown?: string])[] = [
    ['https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['HTTP://EXAMPLE.ORG', 'http://example.org/'],
    ['mailto:a@b.org', 'mailto:a@b.org'],
    ['https://аррӏе.com', 'https://xn--80ak6aa92e.com/'],
    ['https://a.org/\u202egpj', 'https://a.org/%E2%80%AEgpj'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    [' java\nscript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['command:workbench.action.terminal.new', undefined],
    ['vscode://x/y', undefined],
    ['file:///etc/passwd', undefined],
    ['vbscript:x', undefined],
    ['//evil.org', undefined],
    ['/a', undefined],
    ['#a', undefined],
    ['', undefined],
    ['blob:https://a/b', undefined],
    ['http://', undefined],
  ];
  for (const [href, url] of addresses) {
    test(`${JSON.stringify(href)} ${url === undefined ? 'leads nowhere' : `leads to ${url}`}`, () =>
      assert.equal(linkTarget(href)?.url, url));
  }

  test('character references', () => {
    assert.equal(
      decodeEntities('a &amp; b &lt;i&gt; &#65;&#x42; &nbsp;&eacute;&constructor; &amp;lt;'),
      'a & b <i> AB \u00a0&eacute;&constructor; &lt;',
    );
    assert.equal(decodeEntities('&#0;&#xD800;&#x110000;'), '\ufffd\ufffd\ufffd');
  });
});
