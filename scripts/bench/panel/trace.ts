import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/** Duration of a task of a page's main thread, in milliseconds: elapsed time, and processor time. */
export interface PageTask {
  readonly took: number;
  readonly worked: number;
}

/** Runs the work and returns the tasks of the panel's main thread meanwhile. */
export async function traced(page: Page, work: () => Promise<void>): Promise<readonly PageTask[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  let trace: Buffer | undefined;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const called = traceEvents.filter(
    ({ name, args }) => ['FunctionCall', 'EvaluateScript'].includes(name) && args?.data?.url?.endsWith('/chat.js'),
  );
  // An earlier page may still be closing.
  const thread = called.at(-1);
  if (thread === undefined) throw new Error('The trace has nothing of the panel in it.');
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && pid === thread.pid && tid === thread.tid)
    .map(({ dur = 0, tdur = dur }) => ({ took: dur / 1000, worked: tdur / 1000 }));
}
