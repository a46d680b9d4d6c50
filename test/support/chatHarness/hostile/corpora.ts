import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NamedVector } from './attack.ts';

/** Longest text of one attack of others. */
const longest = 20_000;

/**
 * Attacks that others have collected, from all files in a folder: of `.txt` and `.lst` each line, of `.json` each text in it, every other
 * file (`.html`, `.svg`, `.md` …) as a whole. Each text is there once.
 */
export function corpora(folder: string): readonly NamedVector[] {
  const found = new Map<string, string>();
  for (const path of globSync('**/*.{txt,lst,json,html,htm,svg,md,xml,xhtml}', { cwd: folder }).sort()) {
    for (const [index, text] of textsOf(readFileSync(join(folder, path), 'utf8'), extname(path)).entries()) {
      if (text.trim() !== '' && text.length <= longest && !found.has(text)) found.set(text, `${path} ${index + 1}`);
    }
  }
  return [...found].map(([text, name]) => ({ name, vector: () => text }));
}

function textsOf(content: string, extension: string): readonly string[] {
  if (extension === '.json') return stringsIn(JSON.parse(content));
  return ['.txt', '.lst'].includes(extension) ? content.split(/\r?\n/) : [content];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
