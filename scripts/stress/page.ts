import type { Target } from '../../test/support/targets.ts';
import { numberText, type Outcome, wantedText } from './outcome.ts';

/** An outcome with place and time of its measurement. */
export interface Measured extends Outcome {
  /** ISO 8601, to the minute, in UTC. */
  readonly at: string;
  readonly minutes: number;
  readonly machine: string;
  readonly node: string;
  /** Of the sources that were measured, abbreviated. */
  readonly commit?: string;
}

export type MeasuredTargets = Readonly<Record<string, Measured>>;

const head = `# Reliability

What happens under attack and under bad luck, measured. \`npm run stress\` tries it all and writes this page; \`npm run stress -- F3\` does a part of it, and
the rest keeps the figures of its own last run. \`npm test\` tries a sample of each. A decoy is a build or a program with a planted flaw: a figure counts
only where the same test fails with every decoy.
`;

/** The page of results in Markdown. */
export function pageOf(targets: Readonly<Record<string, Target>>, measured: MeasuredTargets): string {
  const rows = Object.entries(targets).map(
    ([name, target]) => `| ${name} | ${target.title} | ${verdict(target, measured[name])} | ${measured[name]?.at.slice(0, 10) ?? ''} |`,
  );
  return [
    head,
    ['| | What is tried | Outcome | Measured |', '|---|---|---|---|', ...rows, ''].join('\n'),
    ...Object.entries(targets).map(([name, target]) => sectionOf(name, target, measured[name])),
  ].join('\n');
}

function verdict(target: Target, measured: Measured | undefined): string {
  if (target.open !== undefined) return 'not measured';
  if (measured === undefined) return 'not measured yet';
  return measured.missed.length === 0 ? 'reached' : '**missed**';
}

/** The section of one target. */
export function sectionOf(name: string, target: Target, measured: Measured | undefined): string {
  const lines = [`## ${name}: ${target.title}`, '', `Aim: ${target.aim}`, ''];
  if (target.open !== undefined) return [...lines, `Not measured: ${target.open}`, ''].join('\n');
  if (measured === undefined) return [...lines, 'Not measured yet.', ''].join('\n');
  const { counts, said, caught, missed, at, minutes, machine, node, commit } = measured;
  const names = [...Object.keys(target.wants), ...Object.keys(counts).filter(count => !(count in target.wants))];
  return [
    ...lines,
    missed.length === 0 ? 'Reached.' : `**Missed**: ${missed.map(plain).join('; ')}.`,
    '',
    ...(names.length === 0
      ? []
      : [
          '| | Counted | Wanted |',
          '|---|---|---|',
          ...names.map(
            count =>
              `| ${count} | ${counts[count] === undefined ? '–' : numberText(counts[count])} | ${target.wants[count] === undefined ? '' : wantedText(target.wants[count])} |`,
          ),
          '',
        ]),
    ...said.map(sentence => `- ${plain(sentence)}`),
    ...caught.map(decoy => `- Decoy that failed, as it has to: ${decoy}.`),
    `- ${at.replace('T', ' ').replace('Z', ' UTC')}, ${numberText(minutes)} minutes, ${machine}, Node ${node}${commit === undefined ? '' : `, commit ${commit}`}.`,
    '',
  ].join('\n');
}

/** One line of text with Markdown characters escaped. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>[\]|#]/g, '\\$&');
