import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/**
 * Runs the work and gives how long each task of the panel's main thread took meanwhile, milliseconds. The thread is that which ran the
 * panel's script, so the trace begins before anything of it is asked for.
 */
export async function traced(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  let trace: Buffer | undefined;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const called = traceEvents.filter(({ name, args }) => name === 'FunctionCall' && args?.data?.url?.endsWith('/chat.js'));
  const thread = called[0];
  if (thread === undefined) throw new Error('The trace has nothing of the panel in it.');
  return traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && pid === thread.pid && tid === thread.tid).map(({ dur = 0 }) => dur / 1000);
}
