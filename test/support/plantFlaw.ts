import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Flaw } from './flaw.ts';

// Loaded first (`node --import`): replaces a source file in this process. `A2A_FLAW` has the file and its change as JSON.

const { file, edits } = JSON.parse(process.env['A2A_FLAW'] ?? '') as Flaw;
const flawed = pathToFileURL(join(import.meta.dirname, '../..', file)).href;

registerHooks({
  load(url, context, nextLoad) {
    if (url !== flawed) return nextLoad(url, context);
    let source = readFileSync(fileURLToPath(url), 'utf8');
    for (const edit of edits) {
      if ('start' in edit) {
        source = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
        continue;
      }
      const [from, to] = edit;
      if (source.split(from).length !== 2)
        throw new Error(`${file} does not have ${JSON.stringify(from)} once: the flaw has to follow it.`);
      source = source.replace(from, () => to);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
