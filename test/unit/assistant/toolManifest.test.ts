import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { tools } from '../../../src/assistant/tools.ts';

const root = resolve(import.meta.dirname, '../../..');
const path = resolve(root, 'package.json');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** The entry of each tool as VS Code has it; its titles are in `package.nls.json`. */
const contributed = tools.map(({ name, description, asks, input }) => {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { target: 'draft-7' });
  return {
    name,
    toolReferenceName: name,
    displayName: `%tool.${name}.title%`,
    userDescription: `%tool.${name}.summary%`,
    modelDescription: asks === undefined ? description : `${description} ${asks}`,
    canBeReferencedInPrompt: true,
    tags: ['a2a'],
    inputSchema,
  };
});

suite('manifest of tools', () => {
  test('has every tool with its input', () => {
    const manifest = JSON.parse(read(path)) as { readonly contributes: object };
    const wanted = { ...manifest, contributes: { ...manifest.contributes, languageModelTools: contributed } };
    const text = `${JSON.stringify(wanted, undefined, 2)}\n`;
    if (process.env['A2A_WRITE'] !== undefined) return writeFileSync(path, text);
    assert.equal(read(path), text, 'A2A_WRITE=1 npm test -- unit --grep "manifest of tools" writes it');
  });

  test('every tool has a title and a summary for people, and a description that says when to use it', () => {
    const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
    assert.ok(tools.length <= 8);
    for (const { name, description } of tools) {
      assert.match(words[`tool.${name}.title`] ?? '', /^\w.*\w$/, name);
      assert.match(words[`tool.${name}.summary`] ?? '', /^[A-Z].*\.$/, name);
      assert.ok(description.length < 700, `${name}: ${description.length} characters`);
      const others = tools.filter(other => other.name !== name && description.includes(other.name));
      assert.ok(others.length > 0, `${name} names no other tool`);
    }
  });
});
