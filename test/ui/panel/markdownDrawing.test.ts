import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { productBundles } from '../../../esbuild.mjs';
import { launchChromium } from '../../../scripts/chromium.ts';
import { themeCss } from '../../support/chatHarness/chatHarness.ts';
import type { Drawn } from '../../support/chatHarness/drawnMarkdown.tsx';
import { withoutSlownessCheck } from '../../support/chatHarness/hostile/brokenBuilds.ts';
import { pageFiles } from '../../support/chatHarness/pageFiles.ts';
import { caught, figure, full, sampleOf, seed } from '../../support/figure.ts';
import { pathologicalShapes } from '../../support/pathologicalMarkdown.ts';
import { Random } from '../../support/protocol/random.ts';

/** As the aim has it, of a text that is drawn alone, where the full figures are wanted; otherwise what the machine does besides must not decide. */
const maxMs = 500;
/** So many times as long as {@link ordinary} text a text may take in a sample. */
const maxTimes = 10;
/** Ordinary Markdown of the longest length: what other texts are measured against, in the same page. */
const ordinary = (length: number): string => '## Heading\n\nWords of a *sentence* with `code`.\n\n- an item\n\n'.repeat(length / 56);
/** Twice the text may take so many times as long; what takes less than this many ms is not compared: the clock and the garbage decide there. */
const maxGrowth = 2.5;
const comparedFromMs = 100;
const lengths = [12_000, 24_000, 48_000, 96_000] as const;
const shapes = sampleOf(Object.entries(pathologicalShapes), 0.2);
const randomTexts = full ? 100_000 : 250;
const perCall = 250;
/** A text that takes long where it is parsed. */
const decoyLength = 20_000;

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
  const [, pages] = productBundles(true);
  const built = await esbuild.build({
    ...pages,
    entryPoints: [resolve(import.meta.dirname, '../../support/chatHarness/drawnMarkdown.tsx')],
    outdir: 'unwritten',
    write: false,
    plugins: [...plugins],
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
async function msOf(page: Page, text: string, enough: number, attempts = 5): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> =>
    (await devTools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  let best = Infinity;
  for (let attempt = 0; attempt < attempts && best > enough; attempt++) {
    const before = await taken();
    await draw(page, [text]);
    best = Math.min(best, (await taken()) - before);
  }
  await devTools.detach();
  return best;
}

/** The longest that a text may take. */
const boundOf = async (page: Page): Promise<number> => (full ? maxMs : maxTimes * (await msOf(page, ordinary(lengths.at(-1)!), 0)));

interface Slow {
  readonly name: string;
  readonly ms: number;
}

/** Shapes that take too long at some length, or much more than twice as long for twice the text. */
async function slowShapes(
  page: Page,
  bound: number,
): Promise<{ readonly slow: readonly Slow[]; readonly grown: readonly Slow[]; readonly longest: number }> {
  const slow: Slow[] = [],
    grown: Slow[] = [];
  let longest = 0;
  for (const [name, shape] of shapes) {
    let before = comparedFromMs;
    for (const [index, length] of lengths.entries()) {
      const allowed = Math.max(comparedFromMs, before) * maxGrowth;
      const ms = await msOf(page, shape(length), Math.min(allowed, bound));
      if (ms > bound) slow.push({ name: `${name} of ${length}`, ms });
      if (ms > allowed) {
        // Both once more: the shorter one may have met a quieter moment.
        const shorter = Math.max(comparedFromMs, index === 0 ? 0 : await msOf(page, shape(lengths[index - 1]!), 0));
        const again = await msOf(page, shape(length), shorter * maxGrowth);
        if (again > shorter * maxGrowth) grown.push({ name: `${name} of ${length}`, ms: again / shorter });
      }
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
    const bound = await boundOf(page);
    const { slow, grown, longest } = await slowShapes(page, bound);
    figure(
      'F10',
      { shapes: shapes.length, 'over 500 ms': slow.length, 'out of proportion': grown.length },
      `${shapes.length} of ${Object.keys(pathologicalShapes).length} pathological shapes of ${lengths.join(', ')} characters, the longest in ${longest.toFixed(0)} ms of ${bound.toFixed(0)}, elements and layout included`,
    );
    assert.deepEqual({ slow, grown }, { slow: [], grown: [] });
    await page.close();
  });

  test('texts made at random are drawn soon', async function () {
    this.timeout(3_600_000);
    const page = await drawingPage(browser);
    const complaints: string[] = [];
    page.on('pageerror', error => complaints.push(String(error)));
    const bound = await boundOf(page);
    const slow: Slow[] = [];
    let undrawn = 0,
      longest = 0;
    for (let first = seed; first < seed + randomTexts; first += perCall) {
      const texts = Array.from({ length: Math.min(perCall, seed + randomTexts - first) }, (_, index) => randomText(first + index));
      for (const [index, { ms, height }] of (await draw(page, texts)).entries()) {
        const text = texts[index]!;
        const took = ms > bound / 2 ? await msOf(page, text, bound / 2) : ms;
        if (took > bound) slow.push({ name: `seed ${first + index}`, ms: took });
        longest = Math.max(longest, took);
        if (height === 0 && /[a-z]{2}/.test(text.replaceAll(/\[r\]: x "y"/g, ''))) undrawn++;
      }
    }
    figure(
      'F10',
      { 'texts at random': randomTexts, 'over 500 ms': slow.length },
      `${randomTexts} texts made at random (seeds ${seed} to ${seed + randomTexts - 1}), the longest in ${longest.toFixed(0)} ms of ${bound.toFixed(0)}`,
    );
    assert.deepEqual({ slow, complaints, undrawn }, { slow: [], complaints: [], undrawn: 0 });
    await page.close();
  });

  test('a build that parses whatever comes is found', async function () {
    this.timeout(300_000);
    const page = await drawingPage(browser, [withoutSlownessCheck]);
    const bound = await boundOf(page);
    const ms = await msOf(page, pathologicalShapes['narrowLinesTable']!(decoyLength), bound, 1);
    assert.ok(ms > bound, `${ms} ms of ${bound}`);
    caught('F10', 'a build that parses whatever comes');
    await page.close();
  });
});
