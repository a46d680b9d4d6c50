import { readFileSync } from 'node:fs';
import type { MatrixAgent } from './matrixAgent.ts';
import { startMock } from './mock.ts';
import { startSdk0_2 } from './sdk0_2.ts';
import { startSdk0_3 } from './sdk0_3.ts';
import { startSdk1_0 } from './sdk1_0.ts';

export interface Spoken {
  readonly generation: string;
  readonly binding: string;
}

interface MatrixServer {
  /** Name and version. */
  readonly title: string;
  /** One server speaks everything, or one is started for each row. */
  readonly perRow?: true;
  start(spoken: Spoken): Promise<MatrixAgent>;
}

const { devDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  devDependencies: Readonly<Record<string, string>>;
};

/** Name and version of a package as it is installed, whatever it is called here. */
function titleOf(dependency: string): string {
  const version = devDependencies[dependency];
  if (version === undefined) throw new Error(`${dependency} is no dependency.`);
  return version.startsWith('npm:') ? version.slice('npm:'.length).replace(/@([^@]+)$/, ' $1') : `${dependency} ${version}`;
}

/**
 * To add one: a row here, its rows in `rows.ts`, then `A2A_WRITE=1 npm test -- process --grep matrix`, which writes the matrix of
 * `docs/compatibility.md`.
 */
export const servers = {
  'sdk1.0': { title: titleOf('@a2a-js/sdk'), start: startSdk1_0 },
  'sdk0.3': { title: titleOf('@a2a-js/sdk-0.3'), start: startSdk0_3 },
  'sdk0.2': { title: titleOf('@a2a-js/sdk-0.2'), start: startSdk0_2 },
  mock: { title: 'mock', perRow: true, start: startMock },
} as const satisfies Record<string, MatrixServer>;

export type ServerId = keyof typeof servers;
