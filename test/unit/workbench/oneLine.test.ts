import * as assert from 'node:assert/strict';
import {
  oneLine,
  escapeIcons,
  escapeControls,
  truncated,
  shortTitle,
  appendWords,
  isUuid,
  escapeLinks,
} from '../../../src/workbench/platform/untrustedText.ts';

suite('text of agents in native UI', () => {
  test('controls and what hides are written out in the log, line by line', () => {
    assert.equal(escapeControls('a\r\nb\u001b[31mred\tc'), 'a\nb\\x1b[31mred\tc');
    assert.equal(escapeControls('exe\u202Egpj.txt\u2066\u200b'), 'exe\\u{202e}gpj.txt\\u{2066}\\u{200b}');
  });

  test('one line has no line break and nothing of zero width; what turns text is spelled out', () => {
    assert.equal(oneLine('  a\r\nb\u2028c\u0000 '), 'a b c\\x00');
    assert.equal(oneLine('invoice\u202Efdp.exe\u061c\u200b\u2060\ufeff\u00ad\u{e0041}'), 'invoice⟨U+202E⟩fdp.exe⟨U+061C⟩');
    assert.equal(oneLine('\u3164\u200b'), '');
  });

  test('emoji and words of other scripts stay as they are', () => {
    for (const text of ['👩‍💻 ❤️ 🇨🇳', '你好,世界', 'שלום', 'नमस्ते']) assert.equal(oneLine(text), text);
    assert.equal(oneLine('a\u200db'), 'ab');
  });

  test('a long text is shortened between characters', () => {
    assert.deepEqual([truncated('abc', 3), truncated('abcd', 3), truncated('a😀bc', 3)], ['abc', 'ab…', 'a…']);
  });

  test('icon syntax stays text, however often it is treated', () => {
    assert.doesNotMatch(escapeIcons('$(shield) Verified $(check)'), /\$\(/);
    assert.equal(oneLine(escapeIcons('$(shield) Verified')), '$(shield) Verified');
    assert.equal(escapeIcons(escapeIcons('$(shield)')), escapeIcons('$(shield)'));
    assert.doesNotMatch(escapeIcons('$\u200b(shield)'), /\$\(/);
  });

  test('Markdown links stay text in messages', () => {
    const message = escapeLinks('Failed: [Sign in]\u200b(command:workbench.action.terminal.new) [b](https://evil.example) $(x)');
    assert.doesNotMatch(message, /\]\(|\$\(/);
    assert.equal(oneLine(message), 'Failed: [Sign in](command:workbench.action.terminal.new) [b](https://evil.example) $(x)');
  });

  test('addresses stay text where Markdown would link them', () => {
    const appended: [kind: 'text' | 'markdown', what: string][] = [];
    const markdown = {
      appendText: (text: string) => appended.push(['text', text]),
      appendMarkdown: (text: string) => appended.push(['markdown', text]),
    };
    const written = 'See (https://bank.example) or\nWWW.bank.example, mailto:a@bank.example: `x` `ftp://bank.example` *now* - [x](y)';
    appendWords(markdown, written);
    const text = appended.map(([, what]) => what).join('');
    // As code they are no links and can be copied; a backtick would end the code.
    assert.deepEqual(
      appended.filter(([kind, what]) => kind === 'markdown' && what !== ' ').map(([, what]) => what),
      ['`(https://bank.example`', '`WWW.bank.example`', '`mailto:a@bank.example`'],
    );
    for (const [kind, what] of appended) if (kind === 'text') assert.doesNotMatch(what, /:\/\/|www\.|@b/i);
    assert.equal(
      oneLine(text.replaceAll(/`([^`\s]*bank[^`\s]*)`/g, (whole, inner: string) => (inner.includes('ftp') ? whole : inner))),
      oneLine(written),
    );
  });

  test('words are joined by spaces that break, but for what would begin a list', () => {
    let markdown = '';
    const append = {
      appendText: (text: string) => (markdown += text.replaceAll(' ', '&nbsp;')),
      appendMarkdown: (text: string) => (markdown += text),
    };
    appendWords(append, 'as the card prefers (http://a.example/a2a, 1. and so on).');
    assert.equal(markdown, 'as the card prefers `(http://a.example/a2a`, 1.&nbsp;and so on).');
  });

  test('a UUID is told from a title', () => {
    assert.deepEqual(['8a7349eb-6d67-4cd0-960d-dbcf111a2083', '8A7349EB-6D67-4CD0-960D-DBCF111A2083'].map(isUuid), [true, true]);
    for (const title of ['', 'task-1', 'Draw 8a7349eb-6d67-4cd0-960d-dbcf111a2083', '8a7349eb6d674cd0960ddbcf111a2083'])
      assert.ok(!isUuid(title));
  });

  test('a short title leaves room for what stands beside it, and never ends in half a character', () => {
    assert.equal(shortTitle('short'), 'short');
    assert.equal(shortTitle('Please write the whole report'), 'Please write the whole…');
    assert.equal(shortTitle('Please write the whole report', 'input required'), 'Please write…');
    assert.equal(shortTitle('Please write the whole report', 'authorization required'), 'Please wr…');
    assert.equal(shortTitle('请为本季度撰写完整的报告并附上图表'), '请为本季度撰写完整的报…');
    assert.equal(shortTitle('😀'.repeat(12)), '😀'.repeat(12));
    assert.equal(shortTitle('😀'.repeat(13)), `${'😀'.repeat(11)}…`);
  });
});
