import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const names = ['spec', 'junit', 'json'] as const;
export type ReporterName = (typeof names)[number];

interface Reporting {
  readonly args: readonly string[];
  /** What each has written. @param out standard output */
  reports(cwd: string, out: string): Promise<readonly (readonly [reporter: ReporterName, text: string])[]>;
}

let turn = 0;

/** Reporters of a run, all at once: one of them prints, another one each time, and the others write files in the folder of the run. */
export function reporting(): Reporting {
  const printing = names[turn++ % names.length];
  return {
    args: names.flatMap(name => ['--reporter', name === printing ? name : `${name}=${name}.txt`]),
    reports: (cwd, out) =>
      Promise.all(names.map(async name => [name, name === printing ? out : await readFile(join(cwd, `${name}.txt`), 'utf8')] as const)),
  };
}
