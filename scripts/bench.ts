import { join } from 'node:path';
import { runCommand } from './command.ts';

// Measures: "npm run bench" all of it, "npm run bench -- reading" a part, "-- --json" as one object a line, with name, value, unit and,
// where there is another side, against and ratio. Both sides of a ratio are measured in one run, so a slow machine does not matter.

/**
 * To add one: a file in `bench/` and its name here; figures through `bench/measure.ts`.
 */
const parts = ['reading', 'requestFile', 'run', 'history', 'writers', 'wire', 'comparison', 'rules', 'panel', 'playing', 'start'];
const flags = process.argv.slice(2).filter(word => word.startsWith('--'));
const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'));
const unknown = wanted.filter(part => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}". There are: ${parts.join(', ')}.`);
  process.exit(2);
}
for (const part of wanted.length > 0 ? wanted : parts) {
  const { code } = await runCommand(process.execPath, [join(import.meta.dirname, 'bench', `${part}.ts`), ...flags], { output: 'inherit' });
  if (code !== 0) process.exitCode = 1;
}
