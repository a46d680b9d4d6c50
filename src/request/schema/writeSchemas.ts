import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readySchemas } from './readySchemas.ts';
import { jsonSchemas } from './schemas.ts';
import { translatedSchema } from './translatedSchema.ts';

/** Languages other than English, each with translations in `l10n/schemas.l10n.<language>.json`. */
const languages = ['zh-cn'];

/**
 * Writes the shipped JSON schemas into a folder, which is created where missing: `a2a.schema.json` in English, `a2a.schema.zh-cn.json` in
 * Chinese. The manifest's strings select the file for a language. Beside them are the `readySchemas` of `main.ts`. Run by the build: `node writeSchemas.ts <folder>`.
 */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, schema: object): void => writeFileSync(join(folder, name), `${JSON.stringify(schema)}\n`);
  for (const [name, schema] of Object.entries(readySchemas())) write(name, schema);
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    write(name, schema);
    for (const language of languages) {
      const words = JSON.parse(
        readFileSync(resolve(import.meta.dirname, `../../../l10n/schemas.l10n.${language}.json`), 'utf8'),
      ) as Readonly<Record<string, string>>;
      write(
        name.replace(/json$/, `${language}.json`),
        translatedSchema(schema, text => words[text] ?? text),
      );
    }
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: node writeSchemas.ts <folder>');
    process.exitCode = 2;
  } else {
    writeSchemas(folder);
  }
}
