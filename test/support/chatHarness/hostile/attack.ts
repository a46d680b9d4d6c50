import type { Browser, Page } from 'playwright-core';
import { themeCss } from '../chatHarness.ts';
import { fakeHost } from '../fakeHost.ts';
import { origin, page as pageOf } from '../page.ts';
import { contentType, type PageFiles } from '../pageFiles.ts';
import type { Board, Step } from './board.ts';
import { armed, play } from './inPage.ts';
import { hitAt, hitOf, type Vector } from './vector.ts';

/** An attack with the class and the place in it that it is of. */
export interface NamedVector {
  readonly name: string;
  readonly vector: Vector;
}

export interface AttackOptions {
  readonly files: PageFiles;
  /** False leaves the content security policy out, so that one sees what the page does by itself. */
  readonly guarded: boolean;
  readonly vectors: readonly NamedVector[];
  readonly boards: Readonly<Record<string, Board>>;
  /** The page is expected to break: what was seen until then counts. */
  readonly broken?: boolean;
}

/** What attacks did. */
export interface Report {
  /** Attacks times places. */
  renders: number;
  /** Links that were followed: the host was asked. */
  links: number;
  /** Attacks that ran a script or made the browser ask for something, as `class, number in place`. */
  readonly hits: Map<string, string>;
  /** Requests and navigations of no attack that is known. */
  readonly strays: string[];
  /** Unexpected elements, addresses that the host must not be asked for, and errors of the page. */
  readonly foreign: string[];
  readonly badLinks: string[];
  readonly complaints: string[];
}

/** Sinks of all boards together have numbers below this. */
const most = 1_000;
/** A page that answers after more than this, and more than so many times what loading it took, was sent away or stopped by a broken build. */
const patienceMs = 3_000;
const patienceLoads = 10;
const maxTold = 200;

/** Puts every attack into every place of the pages, and tells what came of it. */
export async function attack(browser: Browser, options: AttackOptions): Promise<Report> {
  const report: Report = { renders: 0, links: 0, hits: new Map(), strays: [], foreign: [], badLinks: [], complaints: [] };
  const sinks = Object.values(options.boards).flatMap(board => board.sinks);
  if (new Set(sinks).size !== sinks.length || sinks.length >= most) throw new Error('Two sinks have one name, or there are too many.');
  const hit = (number: number, how: string): void => {
    const name = `${options.vectors[Math.floor(number / most)]?.name ?? 'an attack'} in ${sinks[number % most] ?? 'no sink'}`;
    if (!report.hits.has(name)) report.hits.set(name, how);
  };
  const context = await browser.newContext();
  await context.exposeFunction('reportHit', (number: number) => hit(number, 'ran'));
  try {
    for (const board of Object.values(options.boards)) await attackBoard(board, report, hit, sinks, options, () => context.newPage());
  } finally {
    await context.close();
  }
  return report;
}

async function attackBoard(
  board: Board,
  report: Report,
  hit: (number: number, how: string) => void,
  sinks: readonly string[],
  options: AttackOptions,
  newPage: () => Promise<Page>,
): Promise<void> {
  const { vectors, broken = false } = options;
  const steps: Step[] = [];
  const numbers = new Map(sinks.map((sink, index) => [sink, index]));
  // What breaks a page takes the attacks beside it with it.
  const batch = broken ? Math.ceil(board.batch / 5) : board.batch;
  for (let first = 0; first < vectors.length; first += batch) {
    const attacks = vectors.slice(first, first + batch).map(
      ({ vector }, index) =>
        (sink: string) =>
          vector(hitOf((first + index) * most + (numbers.get(sink) ?? 0))),
    );
    steps.push(board.show(attacks, first));
    report.renders += attacks.length * board.sinks.length;
  }
  const atOnce = broken ? 1 : board.steps;
  let page = await preparedPage(board, report, hit, options, newPage);
  for (let first = 0; first < steps.length; ) {
    const started = performance.now();
    await page.goto(`${origin}/page.html`);
    await page.locator('#root > *').first().waitFor({ state: 'attached' });
    const patience = Math.max(patienceMs, patienceLoads * (performance.now() - started));
    for (const end = first + board.steps; first < Math.min(end, steps.length); first += atOnce) {
      const found = await Promise.race([
        page.evaluate(play, { json: JSON.stringify(steps.slice(first, first + atOnce)), again: !broken }),
        ...(broken ? [late(patience)] : []),
      ]).catch((error: unknown) => {
        if (broken) return undefined;
        // An attack that leads the page away ends everything here: say which it was.
        throw new Error(
          `The page broke off. Until then got through: ${
            [...report.hits]
              .slice(0, 20)
              .map(([name, how]) => `${name} (${how})`)
              .join(', ') || 'nothing'
          }`,
          { cause: error },
        );
      });
      if (found === undefined) {
        first += atOnce;
        // A page that is stuck may never be closed; it goes with its context.
        void page.close().catch(() => undefined);
        page = await preparedPage(board, report, hit, options, newPage);
        break;
      }
      report.links += found.links.length;
      report.foreign.push(...found.foreign.slice(0, maxTold - report.foreign.length));
      report.badLinks.push(...found.links.filter(link => !/^(?:https?|mailto):/i.test(link)).slice(0, maxTold - report.badLinks.length));
    }
  }
  await page.close();
}

const late = (ms: number): Promise<undefined> =>
  new Promise(done => {
    setTimeout(done, ms, undefined);
  });

/** A page that records every request, navigation, error and dialog. */
async function preparedPage(
  board: Board,
  report: Report,
  hit: (number: number, how: string) => void,
  { files, guarded }: AttackOptions,
  newPage: () => Promise<Page>,
): Promise<Page> {
  const page = await newPage();
  await page.setViewportSize({ width: 480, height: 320 });
  const own = new Map([
    ...files,
    ['page.html', Buffer.from(pageOf(board.page, 'Dark Modern', guarded))],
    ['theme.css', Buffer.from(themeCss('Dark Modern'))],
  ]);
  const stray = (url: string, how: string): void => {
    const number = hitAt(url);
    if (number !== undefined) hit(number, how);
    else if (report.strays.length < maxTold) report.strays.push(`${how} ${url}`);
  };
  await page.route('**', async route => {
    const url = new URL(route.request().url());
    const body = url.origin === origin ? own.get(url.pathname.slice(1)) : undefined;
    if (body !== undefined) return route.fulfill({ body, contentType: contentType(url.pathname) });
    stray(url.href, 'loads');
    return route.abort('aborted');
  });
  page.on('pageerror', error => {
    if (report.complaints.length < maxTold) report.complaints.push(String(error));
  });
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && report.complaints.length < maxTold) report.complaints.push(message.text());
  });
  page.on('dialog', dialog => {
    report.strays.push(`asks ${dialog.message()}`);
    void dialog.dismiss().catch(() => undefined);
  });
  page.on('popup', popup => stray(popup.url(), 'opens'));
  page.on('download', download => stray(download.url(), 'saves'));
  await page.addInitScript({
    content: `(${armed.toString()})(); (${fakeHost.toString()})(${JSON.stringify({ answers: board.answers })});`,
  });
  page.on('framenavigated', frame => {
    if (frame !== page.mainFrame() || frame.url() !== `${origin}/page.html`) stray(frame.url(), 'leads to');
  });
  return page;
}
