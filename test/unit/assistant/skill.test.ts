import * as assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { verdictOrder } from '../../../src/conformance/rules/rule/verdict.ts';
import { tools } from '../../../src/assistant/tools.ts';

const root = resolve(import.meta.dirname, '../../..');
const { contributes } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  readonly contributes: { readonly chatSkills: readonly { readonly path: string }[] };
};

suite('skill for assistants', () => {
  const [{ path } = { path: '' }] = contributes.chatSkills;
  const text = readFileSync(resolve(root, path), 'utf8');
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];

  test('every skill there is contributed', () => {
    const files = globSync('skills/*/SKILL.md', { cwd: root });
    assert.deepEqual(
      contributes.chatSkills.map(skill => skill.path),
      files.map(file => `./${file}`),
    );
  });

  // VS Code loads no skill whose name is not that of its folder.
  test('has the name of its folder, and a description as VS Code takes it', () => {
    const members = Object.fromEntries(
      head.split('\n').map(line => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    assert.deepEqual(Object.keys(members), ['name', 'description']);
    assert.equal(members['name'], basename(dirname(path)));
    assert.match(members['name']!, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(members['name']!.length <= 64);
    assert.ok(members['description']!.length <= 1024);
    // It stays a plain scalar of YAML.
    assert.doesNotMatch(members['description']!, /: | #|^[^A-Za-z]/);
    assert.match(members['description']!, /Use it when/);
  });

  test('names every tool and no other, and only members that they take or give', () => {
    const words = [...body.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
    const named = new Set(words.filter(word => word.startsWith('a2a_')));
    assert.deepEqual([...named].sort(), tools.map(({ name }) => name).sort());
    const inputs = tools.flatMap(({ input }) => Object.keys((input as unknown as { readonly shape: object }).shape));
    const given = ['requires', 'level', 'clause', 'remedy', 'pointer', 'disputed', 'asked', 'answered'];
    assert.deepEqual(
      words.filter(word => !word.startsWith('a2a_') && ![...inputs, ...given, ...verdictOrder].includes(word)),
      [],
    );
    const source = ['ruleFacts', 'checkTool'].map(name => readFileSync(resolve(root, `src/assistant/${name}.ts`), 'utf8')).join('');
    for (const member of given) assert.match(source, new RegExp(`\\b${member}[,:\\s]`), member);
  });

  test('is short', () => assert.ok(text.split('\n').length <= 80));

  test('is in the package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-skill-'));
    try {
      for (const each of ['.vscodeignore', 'skills', 'package.json']) cpSync(resolve(root, each), join(folder, each), { recursive: true });
      const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
      assert.ok(files.includes(path.slice(2)), files.join(' '));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
