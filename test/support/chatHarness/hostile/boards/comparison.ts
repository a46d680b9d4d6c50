import type { ComparisonView, ShownCell } from '../../../../../src/chat/host/comparisonMessages.ts';
import { type Board, eachSink } from '../board.ts';

const cells: Readonly<Record<string, (text: string) => Partial<ShownCell>>> = {
  'comparison: text': text => ({ text }),
  'comparison: artifact': text => ({ artifacts: [text] }),
  'comparison: error': problem => ({ problem }),
  'comparison: state': text => ({ state: text as 'TASK_STATE_COMPLETED' }),
};
const runs: Readonly<Record<string, (text: string) => Partial<ComparisonView['runs'][number]>>> = {
  'comparison: agent': agent => ({ agent }),
  'comparison: interface': detail => ({ detail }),
  'comparison: remark': remark => ({ remark }),
};

/** The page with runs beside each other. */
export const comparison: Board = {
  page: 'comparisonPage',
  batch: 1,
  steps: 400,
  sinks: [...Object.keys(cells), ...Object.keys(runs), 'comparison: message'],
  answers: {},
  show(attacks) {
    const attack = attacks[0] ?? String;
    const columns = eachSink(runs, attack).map(more => ({ agent: 'x', detail: 'x', isRunning: true, ...more }));
    const view: ComparisonView = {
      type: 'view',
      contexts: ['x'],
      runs: columns,
      turns: eachSink(cells, attack).map(more => ({
        said: attack('comparison: message'),
        cells: columns.map(() => ({ text: 'x', artifacts: [], findings: 1, totalMs: 1, differs: ['message' as const], ...more })),
        equal: 0,
      })),
      more: 0,
      normalization: { ids: true, times: true, keyOrder: true, tolerance: 0, without: [attack('comparison: message')] },
      strings: {},
    };
    return { messages: [view], presses: ['.difference'] };
  },
};
