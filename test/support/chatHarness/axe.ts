import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { type ChatHarness, themeNames } from './chatHarness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** What axe finds wrong with the page as it stands, a line each rule. */
export async function axeSays(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return violations(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
}

/** What axe finds wrong with the page as it stands, in every theme. A theme changes colors alone: the rules of other things are tried once. Leaves the page in another theme. */
export async function axeSaysInEveryTheme(panel: ChatHarness): Promise<readonly string[]> {
  const found = [...(await axeSays(panel.page))];
  for (const theme of themeNames.filter(name => name !== panel.theme)) {
    await panel.setTheme(theme);
    found.push(...(await violations(panel.page, ['color-contrast', 'link-in-text-block'])).map(line => `${theme}: ${line}`));
  }
  return found;
}

/** Violations alone: with the passed checks, the result would be megabytes. */
async function violations(page: Page, tagsOrRules: readonly string[]): Promise<readonly string[]> {
  const found = await page.evaluate(
    async runOnly =>
      (
        await (window as unknown as { axe: Axe }).axe.run(
          { include: [['body']] },
          {
            resultTypes: ['violations'],
            runOnly,
            // Which levels follow upon each other is for the agent to say.
            rules: { 'heading-order': { enabled: false } },
          },
        )
      ).violations,
    tagsOrRules,
  );
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
        .join(' | ')}`,
  );
}
