import type {
  ConformanceView,
  EvidenceView,
  ShownDeviation,
  ShownResult,
  ShownRun,
} from '../../../../../src/chat/host/conformanceMessages.ts';
import type { Verdict } from '../../../../../src/conformance/rules/rule/verdict.ts';
import { type Board, eachSink } from '../board.ts';

const results: Readonly<Record<string, (text: string) => Partial<ShownResult>>> = {
  'conformance: rule': rule => ({ rule }),
  'conformance: title': title => ({ title }),
  'conformance: why': why => ({ why }),
  'conformance: remedy': remedy => ({ remedy }),
  'conformance: section': section => ({ section }),
};
const runs: Readonly<Record<string, (text: string) => Partial<ShownRun>>> = {
  'conformance: remark': text => ({ remarks: [text] }),
  'conformance: comparison': comparison => ({ comparison }),
  'conformance: interface': text => ({ interfaces: [{ title: text, short: text }] }),
};
const evidences: Readonly<Record<string, (text: string) => Partial<EvidenceView>>> = {
  'conformance: request': request => ({ request }),
  'conformance: before the value': before => ({ before }),
  'conformance: the value': marked => ({ marked }),
  'conformance: after the value': after => ({ after }),
  'conformance: status': status => ({ status }),
};
const deviations: Readonly<Record<string, (text: string) => Partial<ShownDeviation>>> = {
  'conformance: rule that was broken': title => ({ title }),
  'conformance: deviation': message => ({ message }),
};
const views: Readonly<Record<string, (text: string) => Partial<ConformanceView>>> = {
  'conformance: agent': agent => ({ agent }),
  'conformance: progress': what => ({ progress: { done: 1, total: 2, what } }),
  'conformance: another run': label => ({
    runs: [
      { id: 1, label },
      { id: 2, label },
    ],
  }),
};

const verdicts: readonly Verdict[] = ['fail', 'warn', 'disputed', 'inconclusive', 'pass', 'not-testable', 'not-applicable'];
const each = <Value>(value: Value): Readonly<Record<Verdict, Value>> =>
  Object.fromEntries(verdicts.map(verdict => [verdict, value])) as Readonly<Record<Verdict, Value>>;

/** The page with the conformance of an agent. */
export const conformance: Board = {
  page: 'conformancePage',
  batch: 1,
  steps: 400,
  sinks: [results, runs, evidences, deviations, views].flatMap(table => Object.keys(table)),
  answers: {},
  show(attacks, first) {
    const attack = attacks[0] ?? String;
    const run: ShownRun = {
      id: first,
      when: 'now',
      remarks: [],
      interfaces: [{ title: 'x', short: 'x' }],
      counts: each(1),
      levels: [{ title: 'MUST', counts: each(1) }],
      families: [{ key: 'CORE', title: 'Messages', counts: each(1) }],
      ...(Object.assign({}, ...eachSink(runs, attack)) as Partial<ShownRun>),
      // One result: what it says is on show for as long as it is open.
      results: [
        {
          rule: 'CORE-1',
          title: 'x',
          level: 'MUST',
          section: '1',
          family: 'CORE',
          interface: 0,
          verdict: 'fail',
          why: 'x',
          hasExchange: true,
          ...(Object.assign({}, ...eachSink(results, attack)) as Partial<ShownResult>),
        },
      ],
    };
    const view: ConformanceView = {
      type: 'view',
      agent: 'x',
      runs: [],
      verdicts: each('x'),
      strings: {},
      ...(Object.assign({}, ...eachSink(views, attack)) as Partial<ConformanceView>),
      run,
      deviations: eachSink(deviations, attack).map((facets, index) => ({
        rule: `DATA-${index}`,
        title: 'x',
        level: 'MUST',
        count: 2,
        last: 'now',
        message: 'x',
        exchangeId: 'x',
        ...facets,
      })),
    };
    const evidence = {
      type: 'evidence',
      run: first,
      index: run.results.length - 1,
      request: 'x',
      before: '',
      marked: '',
      after: '',
      status: 'x',
      ...(Object.assign({}, ...eachSink(evidences, attack)) as Partial<EvidenceView>),
    } satisfies EvidenceView;
    return { messages: [view, evidence], presses: ['.cell'], eachLooked: true };
  },
};
