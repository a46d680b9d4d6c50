import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** What axe finds wrong with the page as it stands, a line each rule. */
export async function axeSays(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  // Returns only violations: with the passed checks, the result would be megabytes.
  const violations = await page.evaluate(
    async () =>
      (
        await (window as unknown as { axe: Axe }).axe.run(
          { include: [['body']] },
          {
            resultTypes: ['violations'],
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
            // Which levels follow upon each other is for the agent to say.
            rules: { 'heading-order': { enabled: false } },
          },
        )
      ).violations,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
        .join(' | ')}`,
  );
}
