import { AgentClient } from '../client/agentClient.ts';
import { chosenInterface, ofCard } from '../client/interfaces/agentInterface.ts';
import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import { inBoth } from '../client/wireLog/wireLog.ts';
import type { AgentInterface } from '../protocol/card/agentCard.ts';
import { sentence } from '../protocol/problem.ts';
import { obstaclesOf } from './checkedInterfaces.ts';
import { checkBounds } from './checkLimit.ts';
import type { CheckReport } from './checkReport.ts';
import { MadeContexts } from './madeContexts.ts';
import { maxResumeMessages, resumeCheck, type ResumeWaits } from './resume/resumeCheck.ts';
import type { ResumeResult } from './resume/resumeReport.ts';
import type { CheckOptions } from './runCheck.ts';
import { unknownPrompt } from './rules/rule/begun.ts';

type Streaming = Pick<CheckOptions, 'card' | 'noCard'>;

const streams = ({ card, noCard }: Streaming): boolean => card.capabilities.streaming === true && noCard !== true;

/** How many messages cutting streams sends at most; 0 where the card declares none. */
export function resumeMessages(options: Streaming & Pick<CheckOptions, 'cardUrl' | 'trust' | 'wants'>): number {
  const { card, cardUrl, trust, wants = () => true } = options;
  if (!streams(options)) return 0;
  const offered = offeredInterfaces(card, cardUrl).filter(({ interface: entry }) => wants(entry));
  return maxResumeMessages * obstaclesOf(offered, trust).filter(obstacle => obstacle === undefined).length;
}

interface WithResumeOptions extends CheckOptions {
  /** `resumeWaits` where undefined. */
  readonly waits?: ResumeWaits;
}

/**
 * A complete run, with what becomes of streams that are cut, for each interface that was checked. All of them together have as much time as a
 * run has. Another run is returned as it is.
 */
export async function withResume(options: WithResumeOptions, report: CheckReport): Promise<CheckReport> {
  const { card, cardUrl, wants = () => true, prompts = {}, bounds = checkBounds, onProgress } = options;
  if (report.end !== 'complete') return report;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(bounds.ms)]);
  const made = options.onContext && new MadeContexts(options.onContext);
  const log = made === undefined ? options.recorder : inBoth(options.recorder, made);
  const parts = prompts['long-task'] ?? prompts.task;
  const resume: ResumeResult[] = [];
  const offered = offeredInterfaces(card, cardUrl).filter(({ interface: entry }) => wants(entry));
  for (const [index, { interface: entry }] of offered.entries()) {
    const { obstacle, isGone } = report.interfaces[index]!;
    if (obstacle !== undefined || isGone === true || signal.aborted) continue;
    if (parts === undefined || !streams(options))
      resume.push({
        interface: index,
        obstacle: streams(options) ? unknownPrompt('task') : sentence('Not applicable: no card declares {0}.', 'capabilities.streaming'),
        events: 0,
        isSteady: true,
        cuts: [],
      });
    else
      resume.push({
        interface: index,
        ...(await resumeCheck({
          client: clientFor(entry, options),
          parts,
          log,
          signal,
          waits: options.waits,
          onProgress: (done, total) => onProgress?.({ done, total, rule: 'resume', interface: entry }),
        })),
      });
  }
  return { ...report, endedAt: Date.now(), resume };
}

/** Reads as every other part of the product does, and names the extensions that the card requires. */
const clientFor = (entry: AgentInterface, { card, cardUrl, http, agentUrl, trust, headers }: CheckOptions): AgentClient =>
  new AgentClient({
    card,
    chosen: chosenInterface(entry, ofCard(entry, card, cardUrl), ofCard(entry, card, cardUrl)),
    http,
    agentUrl,
    trust,
    extensions: (card.capabilities.extensions ?? []).filter(({ required }) => required === true).map(({ uri }) => uri),
    ...(headers !== undefined && { headers }),
  });
