import * as z from 'zod';

const place = { run: z.int(), index: z.int().min(0) };

/** What the page of conformance says to its host. */
export const ConformancePageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['ready', 'check', 'stop', 'export']) }),
  z.object({ type: z.literal('show'), run: z.int() }),
  z.object({ type: z.literal(['evidence', 'clause']), ...place }),
  z.object({ type: z.literal('exchange'), id: z.string().max(200) }),
]);

/** What VS Code keeps of the page over a reload. */
export const KeptConformancePage = z.object({ agent: z.string() });
