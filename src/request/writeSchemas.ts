import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from './schemas.ts';

/** Writes the shipped JSON schemas into a folder, which is made where it is missing. Run by the build: `node writeSchemas.ts <folder>`. */
export function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(jsonSchemas())) writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
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
