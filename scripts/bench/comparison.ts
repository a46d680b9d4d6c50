import type { ComparedRun } from '../../src/recording/compare/comparedRun.ts';
import { compareRuns } from '../../src/recording/compare/comparison.ts';
import { median, tell } from './measure.ts';

// Two runs of one conversation with 5,000 messages and 10 MiB each, compared, beside JSON.parse of the same two runs.

const turns = 5_000;
const words = 'Sailing to the island takes about two days. '.repeat(36);
const idOf = (run: number, turn: number): string => `00000000-0000-4000-8000-0000${run}${String(turn).padStart(7, '0')}`;
const textOf = (run: number): string =>
  JSON.stringify({
    name: `run ${run}`,
    turns: Array.from({ length: turns }, (_, turn) => {
      const [id, contextId] = [idOf(run, turn), `context-of-run-${run}`];
      const status = { state: 'TASK_STATE_COMPLETED', timestamp: `202${run}-01-01T00:00:00Z`, message: undefined };
      const artifacts = [
        { artifactId: `${id}-a`, parts: [{ text: `${id}: ${words}` }, { data: { turn, fare: [turn / 7, words.slice(0, 200)] } }] },
      ];
      const outcome = { task: { id, contextId, status, artifacts }, startedAt: turn, endedAt: turn + 1 };
      return { said: { parts: [{ text: `Leg ${turn}` }], refersTo: [] }, outcome };
    }),
  });

const took = (work: () => unknown): number =>
  median(
    Array.from({ length: 7 }, () => {
      const before = performance.now();
      work();
      return performance.now() - before;
    }),
  );

const texts = [textOf(1), textOf(2)];
const read = (): ComparedRun[] => texts.map(text => JSON.parse(text) as ComparedRun);
const runs = read();
if (compareRuns(runs).some(({ equal }) => equal !== 1)) throw new Error('The runs should be equal.');
const parse = took(read);
const size = texts.reduce((sum, text) => sum + text.length, 0) / 2 ** 20;
tell({ name: 'two runs of 5,000 messages: size of both', value: size, unit: 'MiB' });
const value = took(() => compareRuns(runs));
tell({ name: 'two runs of 5,000 messages: compared', value, unit: 'ms', against: 'JSON.parse of both', ratio: value / parse });
