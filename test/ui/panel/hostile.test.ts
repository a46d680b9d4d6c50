import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { ChatHarness } from '../../support/chatHarness/chatHarness.ts';
import { attack, type AttackOptions, type NamedVector, type Report } from '../../support/chatHarness/hostile/attack.ts';
import { boards } from '../../support/chatHarness/hostile/boards/index.ts';
import { corpora } from '../../support/chatHarness/hostile/corpora.ts';
import { hitOf } from '../../support/chatHarness/hostile/vector.ts';
import { classes } from '../../support/chatHarness/hostile/vectors/index.ts';
import { withoutSanitiser } from '../../support/chatHarness/hostile/withoutSanitiser.ts';
import { buildPages, pageFiles } from '../../support/chatHarness/pageFiles.ts';
import { snapshotOf, Story } from '../../support/chatHarness/story.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

const own: readonly NamedVector[] = Object.entries(classes).flatMap(([name, vectors]) =>
  vectors.map((vector, index) => ({ name: `${name} ${index}`, vector })),
);
/** Under the policy a page can do less than without it, so a part of the attacks is enough there for a sample. */
const shareGuarded = full ? 1 : 120;
/** Of the attacks without it a sample shows each place every sixtieth one, other ones than in the next part of the pages. */
const shareUnguarded = full ? 1 : 60;
/** Links of one part of the pages that have to be followed, or nothing was tried. */
const leastLinks = full ? 1_000 : 100;
const sinks = Object.values(boards).flatMap(board => board.sinks);
/** Places whose texts are shown nowhere or hardly, or as the value of a field, as an attribute or as a picture: there is no HTML to be made of them. */
const noMarkup = new Set([
  'bytes of no kind',
  'bytes that are no base64',
  'bytes of a picture',
  'path of an address',
  'problem: code',
  'task id',
  'exchange id',
  'status: word of the state',
  'context id',
  'version: task',
  'form: kept data',
  'field: name',
  'field: text',
  'field: long text',
  'field: list',
  'field: JSON',
  'field: date',
  'field: number',
  'field: option',
  'conformance: another run',
  'wire: binding',
  'wire: version',
  'card: icon',
  'card: signature',
  'draft: data',
  'net: task',
  'net: state',
  'net: reference',
  'preview: bytes of no kind',
  'preview: bytes that are no base64',
  'preview: bytes of a picture',
  'preview: path of an address',
  'preview: state',
]);
/** A folder with attacks that others have collected; they stay out of this repository. */
const collected = process.env['A2A_HOSTILE_CORPORA'];

/** A class that is tried everywhere in a sample of the build without the sanitiser: what it makes runs by itself. */
const sampledClass = 'selfFiring';
/** So many of a class are tried on the build without the sanitiser, from all over the class: a few at a time, until every place and every class is hit. */
const maxOfClass = 8;
const perRound = full ? 2 : 1;
const rounds = maxOfClass / perRound;

/** The attacks of a class that belong to a round. */
function sampled(all: readonly NamedVector[], round: number): readonly NamedVector[] {
  const some = all.filter(
    (_, index, { length }) => Math.floor((index * maxOfClass) / length) !== Math.floor(((index - 1) * maxOfClass) / length),
  );
  return some.filter((_, index) => index % rounds === round);
}

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof assert.AssertionError) return true;
    throw error;
  }
}

suite('hostile agents', () => {
  let browser: Browser;
  suiteSetup(async () => {
    browser = await launchChromium();
  });
  suiteTeardown(() => browser.close());

  /** Each part of the pages under the policy and without it, or those of them that are wanted, two at a time; the reports by what they are of. */
  const attackAll = async (
    { vectors, ...options }: Omit<AttackOptions, 'boards' | 'guarded'>,
    isWanted: (title: string) => boolean = () => true,
  ): Promise<ReadonlyMap<string, Report>> => {
    const all = Object.entries(boards).flatMap(([name, board], number) => [
      {
        title: `${name} without the policy`,
        boards: { [name]: board },
        guarded: false,
        vectors: vectors.filter((_, index) => options.broken === true || (index + number) % shareUnguarded === 0),
      },
      {
        title: `${name} under the policy`,
        boards: { [name]: board },
        guarded: true,
        vectors: vectors.filter((_, index) => options.broken === true || index % shareGuarded === 0),
      },
    ]);
    const jobs = all.filter(({ title }) => isWanted(title));
    const reports = new Map<string, Report>();
    const work = async (): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
        reports.set(job.title, await attack(browser, { ...options, ...job }));
    };
    await Promise.all([work(), work()]);
    return reports;
  };

  const nothingHappened = (reports: ReadonlyMap<string, Report>): void => {
    for (const [title, { hits, strays, foreign, badLinks, complaints }] of reports) {
      assert.deepEqual(
        { hits: [...hits].slice(0, 20), strays, foreign, badLinks, complaints },
        { hits: [], strays: [], foreign: [], badLinks: [], complaints: [] },
        title,
      );
    }
    const sum = (count: (report: Report) => number): string =>
      [...reports.values()].reduce((all, report) => all + count(report), 0).toLocaleString('en');
    console.log(`      ${sum(({ renders }) => renders)} times shown, ${sum(({ links }) => links)} links followed`);
  };

  test('there are enough attacks, and no two are the same', () => {
    const texts = own.map(({ vector }) => vector(hitOf(1)));
    assert.ok(texts.length >= 2_000, String(texts.length));
    assert.equal(new Set(texts).size, texts.length);
    console.log(`      ${texts.length} attacks of ${Object.keys(classes).length} classes, ${sinks.length} places`);
  });

  test('nothing runs, loads or leads away, under the policy and without it', async function () {
    this.timeout(full ? 5_400_000 : 900_000);
    const reports = await attackAll({ files: await pageFiles(), vectors: own });
    const sum = (count: (report: Report) => number): number => [...reports.values()].reduce((all, report) => all + count(report), 0);
    const [renderings, links] = [sum(({ renders }) => renders), sum(report => report.links)];
    const through = sum(
      ({ hits, strays, foreign, badLinks, complaints }) => hits.size + strays.length + foreign.length + badLinks.length + complaints.length,
    );
    figure(
      'F4',
      { renderings, 'links followed': links, 'got through': through },
      `${Math.ceil(own.length / shareUnguarded)} of ${own.length} attacks in each of ${sinks.length} places, ${Math.ceil(own.length / shareGuarded)} under the policy, too: ${renderings} renderings, ${through} of them did anything`,
    );
    nothingHappened(reports);
    assert.ok(
      [...reports.values()].some(({ links }) => links >= leastLinks),
      'no link was followed, so nothing was tried',
    );
  });

  test(`a build without the sanitiser fails the same test: ${full ? 'in every class and in every place' : 'on every page'}`, async function () {
    this.timeout(900_000);
    const files = await buildPages([withoutSanitiser]);
    const harmless = new Set(Object.keys(boards).flatMap(name => [`${name} without the policy`, `${name} under the policy`]));
    const hits = new Set<string>();
    const isHit = (like: (hit: string) => boolean): boolean => [...hits].some(like);
    const placesLeft = (): readonly string[] => [
      ...harmless,
      ...(full ? sinks.filter(sink => !noMarkup.has(sink) && !isHit(hit => hit.endsWith(` in ${sink}`))) : []),
    ];
    const triedClasses = full ? Object.keys(classes) : [sampledClass];
    const classesLeft = (): readonly string[] => triedClasses.filter(name => !isHit(hit => hit.startsWith(`${name} `)));
    let tried = 0;
    for (let round = 0; round < rounds && placesLeft().length + classesLeft().length > 0; round++) {
      const names = placesLeft().length > 0 ? triedClasses : classesLeft();
      const vectors = names.flatMap(name =>
        sampled(
          own.filter(vector => vector.name.startsWith(`${name} `)),
          round,
        ),
      );
      tried += vectors.length;
      for (const [title, report] of await attackAll({ files, vectors, broken: true }, title => full || harmless.has(title))) {
        if (isRefused(() => nothingHappened(new Map([[title, report]])))) harmless.delete(title);
        if (title.endsWith('without the policy')) for (const hit of report.hits.keys()) hits.add(hit);
      }
    }
    console.log(`      ${tried} attacks got through ${hits.size} times without the policy`);
    assert.deepEqual([...placesLeft(), ...classesLeft()], []);
    caught('F4', 'a build without the sanitiser');
  });

  if (collected !== undefined) {
    test('nothing that others have collected does either', async function () {
      this.timeout(3_600_000);
      const vectors = corpora(collected);
      assert.ok(vectors.length > 0, `there is nothing in ${collected}`);
      console.log(`      ${vectors.length} attacks from ${collected}`);
      nothingHappened(await attackAll({ files: await pageFiles(), vectors }));
    });
  }

  test('an honest link is followed, one that pretends says where it leads', async () => {
    const text =
      '[here](https://example.org/a) [https://bank.example](https://evil.example/login) [x](javascript:alert(1)) [a\u202eb](https://example.org/b)';
    const panel = await ChatHarness.open(browser, { snapshot: snapshotOf(new Story().agent(0, [{ text }]).entries) });
    assert.match(
      await shownText(panel.page.locator('.markdown')),
      /^here https:\/\/bank\.example \(https:\/\/evil\.example\/login\) x \(javascript:alert\(1\)\) a⟨U\+202E⟩b$/,
    );
    assert.equal(await panel.page.locator('.markdown').getByRole('link').count(), 3);
    await panel.close();
  });
});
