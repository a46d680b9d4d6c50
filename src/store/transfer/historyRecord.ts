import * as z from 'zod';
import { Message } from '../../protocol/message/message.ts';
import { Artifact, Task } from '../../protocol/message/task.ts';
import { ShownState } from '../../protocol/message/taskState.ts';
import { AssistantCall, ContextMaker } from '../../protocol/message/transcript.ts';
import { maxRevisions } from '../rows/artifactRevisions.ts';
import { verdicts } from '../lists/contextArtifacts.ts';

/** The format and version in every line of an exported history. A reader refuses a version higher than its own. */
export const recordFormat = 'a2a-workbench-history';
export const recordVersion = 1;
/** How `HistoryExport` begins each line. */
export const recordHead = `{"format":"${recordFormat}",`;

/** Most entries and exchanges of one record. */
const maxRows = 100_000;

const time = z.number().min(0).max(8.64e15);
const id = z.string().max(10_000);
const count = z.number().int().min(1);
const facts = {
  seq: z.number(),
  at: time,
  untimed: z.literal(true).optional(),
  polled: z.literal(true).optional(),
  exchangeId: id.optional(),
};
const sentence: z.ZodType = z.object({
  template: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => sentence)])).max(100),
});

/** A finding, with what has to be there to show it; files of earlier versions have no `sentence`. */
const Finding = z.object({ rule: z.string(), pointer: z.string(), message: z.string(), sentence: sentence.optional() });

/** The artifact before its agent replaced it. */
const Revision = z.object({
  number: count,
  replacedAt: time,
  apart: z.literal(true).optional(),
  complete: z.boolean(),
  artifact: Artifact,
});

const Entry = z.discriminatedUnion('kind', [
  z.object({
    ...facts,
    kind: z.literal('message'),
    message: Message,
    delivery: z.enum(['sending', 'sent', 'refused', 'unknown']).optional(),
    assistant: AssistantCall.optional(),
    outcome: sentence.optional(),
  }),
  z.object({
    ...facts,
    kind: z.literal('status'),
    state: ShownState,
    message: Message.optional(),
    timestamp: z.string().optional(),
    withRestart: z.literal(true).optional(),
  }),
  z.object({
    ...facts,
    kind: z.literal('artifact'),
    artifact: Artifact,
    complete: z.boolean(),
    chunks: z.number().int().min(0),
    verdict: z.enum(verdicts).optional(),
    revision: count.optional(),
    revisions: z.array(Revision).max(maxRevisions).optional(),
  }),
  z.object({
    ...facts,
    kind: z.literal('problem'),
    code: z.string(),
    sentence,
    address: z.string().optional(),
    nextStep: sentence.optional(),
    details: z.string().optional(),
  }),
  z.object({ ...facts, kind: z.literal('gap'), reason: sentence, filled: z.literal(true).optional() }),
]);

const headers = z.array(z.tuple([z.string(), z.string()]));
const Exchange = z.object({
  id,
  operation: z.string(),
  protocolBinding: z.string(),
  protocolVersion: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers, body: z.string() }),
  startedAt: time,
  response: z.object({ status: z.number(), headers, body: z.string().optional(), truncated: z.boolean().optional() }).optional(),
  failureSentence: sentence.optional(),
  findings: z.array(Finding).max(1000),
});

/**
 * One line of an exported history: a task with all its entries, or the entries of a context outside tasks. Times are milliseconds since the
 * epoch. Unknown members are kept.
 */
export const HistoryRecord = z.object({
  format: z.literal(recordFormat),
  version: z.literal(recordVersion),
  /** Name of the agent in the settings under which it was exported. */
  agent: z.string().min(1).max(1000),
  /** The origins at which that agent was asked, as `originOf` writes them; absent if they are not known. */
  origins: z.array(z.string().max(1000)).max(200).optional(),
  context: z.object({
    /** It stands in what we tell people and models, outside of what is marked as an agent's. */
    key: z.string().regex(/^[\w-]{1,200}$/),
    contextId: id.optional(),
    title: z.string().max(10_000).optional(),
    ownTitle: z.string().max(10_000).optional(),
    pinned: z.boolean().optional(),
    madeBy: ContextMaker.optional(),
    createdAt: time,
    updatedAt: time,
  }),
  task: z
    .object({
      /** In core shape (A2A 1.0 §4.1.1), artifacts with their parts as they came. */
      task: Task,
      title: z.string().max(10_000).optional(),
      ownTitle: z.string().max(10_000).optional(),
      pinned: z.boolean().optional(),
      createdAt: time,
      updatedAt: time,
      findings: z.array(Finding).max(1000).optional(),
    })
    .optional(),
  /** In the order in which they came. */
  entries: z.array(Entry).max(maxRows),
  /** Exchanges and frames, credentials masked; only if they were asked for. */
  exchanges: z
    .array(
      z.object({
        exchange: Exchange,
        frames: z.array(z.object({ seq: z.number().int().min(0), at: time, data: z.string() })).max(maxRows),
      }),
    )
    .max(maxRows)
    .optional(),
});
export type HistoryRecord = z.infer<typeof HistoryRecord>;
