import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buttonLabels, notifications } from '../support/buttonLabels.ts';
import { stringLiteral, textOfLiteral } from '../../scripts/translations.ts';
import { titleFaults } from '../support/titleCase.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
const manifest = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;

/** What is not in title case, with the words that are to blame. */
const faults = (titles: readonly string[]): string[] => titles.flatMap(title => titleFaults(title).map(word => `${title}: ${word}`));

/** "Is not a" rather than "is no"; what agents support or use, not what they speak; American spelling; no one who knows or listens. */
const banned =
  /(?<!\b[Tt]here )\b(?:is|was) no (?!longer\b)|\bspe(?:ak|aks|aking)\b|\bspoken?\b|\bnobody\b|\bno one (?:knows|listens)\b|\bnothing listens\b|\bcancell(?:ed|ing)\b|\bbehaviour|\bcolour|\b(?:went|gone) over the wire\b|\bshow on the wire\b/i;

/** Verbs of speech for data, people in place of a noun, and doc comments that begin without their subject. */
const bannedInComments = /\b(?:nobody|whoever|heard|spoken|told)\b|^\/\*\*[\s*]+(?:Of|What|Whether|Whoever|Nobody)\b/i;

/** Comments with their line numbers, from 1. A text with `//` in it, such as an address, is no comment. */
const commentsOf = (source: string): (readonly [line: number, comment: string])[] =>
  [...source.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|(?<=^|[\s;,{(])\/\/[^\n]*/gm)]
    .filter(([text]) => text.startsWith('/'))
    .map(({ index, 0: text }) => [source.slice(0, index).split('\n').length, text]);

/** The second argument of a hint is what a terminal says. */
const toTerminal = new RegExp(String.raw`\bhint\(\s*(?:sentence\((?:[^()]|\([^()]*\))*\),\s*)?${stringLiteral}`, 'g');

suite('wording', () => {
  test('the rule of title case tells right from wrong', () => {
    assert.deepEqual(
      faults([
        'Subscribe to Task',
        'Send on Every Interface',
        'Clean Up History…',
        'Convert Agent Card Between 1.0 and 0.3',
        'Copy Request as cURL',
        'Add to .gitignore',
        'Refine the Latest: v{0}',
        'Turn On and Send',
      ]),
      [],
    );
    assert.deepEqual(faults(['Subscribe To Task', 'Send again', 'show Exchange', 'Convert Between 1.0 And 0.3', 'Open in editor']), [
      'Subscribe To Task: To',
      'Send again: again',
      'show Exchange: show',
      'Convert Between 1.0 And 0.3: And',
      'Open in editor: editor',
    ]);
  });

  test('commands are in title case', () => {
    const titles = Object.entries(manifest)
      .filter(([key]) => /^(?:command|view)\./.test(key))
      .map(([, title]) => title);
    assert.ok(titles.length > 60, `${titles.length} titles`);
    assert.deepEqual(faults(titles), []);
  });

  test('links in the welcome and the walkthrough are in title case', () => {
    const links = Object.entries(manifest)
      .filter(([key]) => /^(?:welcome|walkthrough)\./.test(key))
      .flatMap(([, text]) => [...text.matchAll(/\[([^\]]+)\]\(command:a2a\.(?!newRequestFile)/g)].map(([, title = '']) => title));
    assert.ok(links.length >= 6, `${links.length} links`);
    assert.deepEqual(faults(links), []);
  });

  test('buttons and menu entries of the panel and of notifications are in title case', () => {
    const labels = globSync('src/{chat,workbench}/**/*.{ts,tsx}', { cwd: root }).flatMap(path => buttonLabels(path, read(path)));
    // One of each way in which a button is written: its label, its children, an entry of a menu, a notification's, a constant of a notification.
    for (const known of ['Show in Wire', 'Send Again', 'Jump to Latest', 'Open Task', 'Show Log', 'Undo'])
      assert.ok(labels.includes(known), `${known} is not read`);
    assert.ok(new Set(labels).size > 80, `${new Set(labels).size} labels`);
    // What stands in parentheses says more about a control that has its own label.
    assert.deepEqual(faults([...new Set(labels)].filter(label => !label.startsWith('('))), []);
  });

  test('labels have at most 60 characters and notifications at most 120', () => {
    const sources = globSync('src/{chat,workbench}/**/*.{ts,tsx}', { cwd: root }).map(path => [path, read(path)] as const);
    const labels = [
      ...sources.flatMap(source => buttonLabels(...source)),
      ...Object.entries(manifest).flatMap(([key, text]) => (/^(?:command|view)\.|\.title$/.test(key) ? [text] : [])),
    ];
    assert.deepEqual(
      labels.filter(label => label.length > 60),
      [],
    );
    const shown = sources.flatMap(source => notifications(...source));
    assert.ok(new Set(shown).size > 40, `${new Set(shown).size} notifications`);
    assert.deepEqual(
      shown.filter(text => text.replaceAll(/\{\d\}/g, '').length > 120),
      [],
    );
  });

  test('no sentence has a phrase that VS Code would word in another way', () => {
    const sentences = [
      ...Object.keys(JSON.parse(read('l10n/bundle.l10n.zh-cn.json')) as object),
      ...Object.keys(JSON.parse(read('l10n/schemas.l10n.zh-cn.json')) as object),
      ...Object.values(manifest),
      ...read('README.md').split('\n'),
      ...['src/cli/help.ts', 'src/cli/terminal/options.ts', 'src/cli/commands.ts', 'src/cli/terminal/usage.ts']
        .flatMap(path => read(path).split('\n'))
        .filter(line => !/^\s*(?:\/\/|\/?\*)/.test(line)),
      ...globSync('src/**/*.ts', { cwd: root }).flatMap(path =>
        [...read(path).matchAll(toTerminal)].map(([, text = '']) => textOfLiteral(text)),
      ),
    ];
    assert.ok(sentences.length > 1_700, `${sentences.length} sentences`);
    assert.deepEqual(
      sentences.filter(sentence => banned.test(sentence)),
      [],
    );
    for (const phrase of [
      'This is no task.',
      'The agent speaks 1.0',
      'A2A 0.1 is not spoken here.',
      'Nobody knows whether',
      'Nothing listens at x.',
      'The task was cancelled.',
      'its behaviour',
      'Show on the wire',
      'went over the wire',
    ])
      assert.match(phrase, banned);
    for (const phrase of ['No secrets.', 'This task is no longer in the history.', 'canceled', 'The wire log'])
      assert.doesNotMatch(phrase, banned);
  });

  test('a comment begins with its subject and has no verb of speech for data', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(file => file.replaceAll('\\', '/'));
    const comments = files.flatMap(file => commentsOf(read(file)).map(([line, comment]) => ({ place: `${file}:${line}`, comment })));
    assert.ok(comments.length > 5_000, `${comments.length} comments`);
    assert.deepEqual(
      comments.filter(({ comment }) => bannedInComments.test(comment)).map(({ place, comment }) => `${place} ${comment}`),
      [],
    );
    for (const comment of ['/** Of the secrets, never their values. */', '/**\n * Whether it fits. */', '// The state that was told.'])
      assert.match(comment, bannedInComments);
    for (const comment of ['/** Secret names only. */', '// What is kept.', '/** True if it fits. */'])
      assert.doesNotMatch(comment, bannedInComments);
    assert.deepEqual(commentsOf("const a = 'http://told';\n// one\n/* two */ const b = 1; // three"), [
      [2, '// one'],
      [3, '/* two */'],
      [3, '// three'],
    ]);
  });

  test('nothing is written with an emoji: fonts may lack them', () => {
    const written = globSync('{src,l10n}/**/*.{ts,tsx,json}', { cwd: root }).concat(
      'package.json',
      'package.nls.json',
      'package.nls.zh-cn.json',
    );
    assert.deepEqual(
      written.filter(file => /\p{Emoji_Presentation}/u.test(read(file))),
      [],
    );
    assert.match('\u{1f534}', /\p{Emoji_Presentation}/u);
  });
});
