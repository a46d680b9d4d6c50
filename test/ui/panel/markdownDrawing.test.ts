import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { pageBundles } from '../../../esbuild.mjs';
import { launchChromium } from '../../../scripts/chromium.ts';
import { themeCss } from '../../support/chatHarness/chatHarness.ts';
import type { Drawn } from '../../support/chatHarness/drawnMarkdown.tsx';
import { withoutSlownessCheck } from '../../support/chatHarness/hostile/brokenBuilds.ts';
import { pageFiles } from '../../support/chatHarness/pageFiles.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { pathologicalShapes } from '../../support/pathologicalMarkdown.ts';
import { Random } from '../../support/protocol/random.ts';

/** As the aim has it, of a text that is drawn alone. */
const maxMs = 500;
/** Twice the text may take so many times as long; what takes less than this many ms is not compared: the clock and the garbage decide there. */
const maxGrowth = 2.5;
const comparedFromMs = 100;
const lengths = [12_000, 24_000, 48_000, 96_000] as const;
const randomTexts = full ? 100_000 : 1_500;
const perCall = 250;

/** What random texts are made of: every mark of the language, often in the middle of others. */
const pieces = [
  '*',
  '**',
  '_',
  '__',
  '~~',
  '`',
  '``',
  '```',
  '~~~',
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '<',
  '>',
  '|',
  '|-|-|',
  '\n',
  '\n\n',
  '\n- ',
  '\n1. ',
  '\n> ',
  '\n# ',
  '\n    ',
  '\t',
  '  \n',
  '\\',
  '&amp;',
  '&#x202e;',
  'a',
  'word',
  ' ',
  'http://a.example',
  'a@b.c',
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '[r]: x "y"',
  '- [ ] ',
  '===',
  '---',
  '$',
  '\u{202e}',
  '\u{200b}',
  '漢字',
  'שלום',
  '\u{1f600}',
  '\0',
  '\u{d800}',
] as const;

function randomText(seed: number): string {
  const random = new Random(seed);
  let text = '';
  // Few pieces in most texts and many in some; a piece often comes many times in a row, as in what makes parsers slow.
  for (let left = 1 + random.below(random.next() < 0.02 ? 2_000 : 60); left > 0; left--)
    text += random.pick(pieces).repeat(random.next() < 0.05 ? 1 + random.below(200) : 1);
  return text;
}

async function drawingPage(browser: Browser, plugins: readonly esbuild.Plugin[] = []): Promise<Page> {
  const built = await esbuild.build({
    ...pageBundles[0],
    entryPoints: [resolve(import.meta.dirname, '../../support/chatHarness/drawnMarkdown.tsx')],
    outdir: 'unwritten',
    write: false,
    minify: true,
    splitting: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [...(pageBundles[0]!.plugins ?? []), ...plugins],
  });
  const page = await browser.newPage({ viewport: { width: 480, height: 800 } });
  await page.setContent(`<!DOCTYPE html><html><body class="vscode-dark"><div id="root"></div></body></html>`);
  await page.addStyleTag({ content: themeCss('Dark Modern') + ((await pageFiles()).get('chat.css')?.toString() ?? '') });
  await page.addScriptTag({ content: built.outputFiles.find(({ path }) => path.endsWith('.js'))!.text, type: 'module' });
  await page.waitForFunction(() => typeof window.drawMarkdown === 'function');
  return page;
}

const draw = (page: Page, texts: readonly string[]): Promise<readonly Drawn[]> =>
  page.evaluate(all => all.map(text => window.drawMarkdown(text)), texts);

/** Time of a processor that the page's thread took, the shortest of some attempts: garbage of what was before counts, too. */
async function msOf(page: Page, text: string, enough: number): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> =>
    (await devTools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  let best = Infinity;
  for (let attempt = 0; attempt < 5 && best > enough; attempt++) {
    const before = await taken();
    await draw(page, [text]);
    best = Math.min(best, (await taken()) - before);
  }
  await devTools.detach();
  return best;
}

interface Slow {
  readonly name: string;
  readonly ms: number;
}

/** Shapes that take too long at some length, or much more than twice as long for twice the text. */
async function slowShapes(
  page: Page,
): Promise<{ readonly slow: readonly Slow[]; readonly grown: readonly Slow[]; readonly longest: number }> {
  const slow: Slow[] = [],
    grown: Slow[] = [];
  let longest = 0;
  for (const [name, shape] of Object.entries(pathologicalShapes)) {
    let before = comparedFromMs;
    for (const length of lengths) {
      const allowed = Math.max(comparedFromMs, before) * maxGrowth;
      const ms = await msOf(page, shape(length), Math.min(allowed, maxMs));
      if (ms > maxMs) slow.push({ name: `${name} of ${length}`, ms });
      if (ms > allowed) grown.push({ name: `${name} of ${length}`, ms: ms / Math.max(comparedFromMs, before) });
      longest = Math.max(longest, ms);
      before = ms;
    }
  }
  return { slow, grown, longest };
}

suite('Markdown, drawn', () => {
  let browser: Browser;
  suiteSetup(async () => {
    browser = await launchChromium();
  });
  suiteTeardown(() => browser.close());

  test('what makes parsers slow is drawn soon, and twice the text in twice the time', async function () {
    this.timeout(600_000);
    const page = await drawingPage(browser);
    const { slow, grown, longest } = await slowShapes(page);
    figure(
      'F10',
      { shapes: Object.keys(pathologicalShapes).length, 'over 500 ms': slow.length, 'out of proportion': grown.length },
      `${Object.keys(pathologicalShapes).length} pathological shapes of ${lengths.join(', ')} characters, the longest in ${longest.toFixed(0)} ms, elements and layout included`,
    );
    assert.deepEqual({ slow, grown }, { slow: [], grown: [] });
    await page.close();
  });

  test('texts made at random are drawn soon', async function () {
    this.timeout(3_600_000);
    const page = await drawingPage(browser);
    const complaints: string[] = [];
    page.on('pageerror', error => complaints.push(String(error)));
    const slow: Slow[] = [];
    let undrawn = 0,
      longest = 0;
    for (let first = 1; first <= randomTexts; first += perCall) {
      const texts = Array.from({ length: Math.min(perCall, randomTexts - first + 1) }, (_, index) => randomText(first + index));
      for (const [index, { ms, height }] of (await draw(page, texts)).entries()) {
        const text = texts[index]!;
        const took = ms > maxMs / 2 ? await msOf(page, text, maxMs / 2) : ms;
        if (took > maxMs) slow.push({ name: `seed ${first + index}`, ms: took });
        longest = Math.max(longest, took);
        if (height === 0 && /[a-z]{2}/.test(text.replaceAll(/\[r\]: x "y"/g, ''))) undrawn++;
      }
    }
    figure(
      'F10',
      { 'texts at random': randomTexts, 'over 500 ms': slow.length },
      `${randomTexts} texts made at random (seeds 1 to ${randomTexts}), the longest in ${longest.toFixed(0)} ms`,
    );
    assert.deepEqual({ slow, complaints, undrawn }, { slow: [], complaints: [], undrawn: 0 });
    await page.close();
  });

  test('a build that parses whatever comes is found', async function () {
    this.timeout(300_000);
    const page = await drawingPage(browser, [withoutSlownessCheck]);
    const [{ ms }] = (await draw(page, [pathologicalShapes['narrowLinesTable']!(24_000)])) as [Drawn];
    assert.ok(ms > maxMs, `${ms} ms`);
    caught('F10', 'a build that parses whatever comes');
    await page.close();
  });
});
