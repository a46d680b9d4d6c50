import * as assert from 'node:assert/strict';
import { join, posix, win32 } from 'node:path';
import { Problem } from '../../../src/protocol/problem.ts';
import { SandboxedFiles } from '../../../src/request/values/sandboxedFiles.ts';
import { attachmentOf } from '../../../src/workbench/chat/drafts/attachment.ts';
import { PartId } from '../../../src/chat/host/draft.ts';
import { safeFileName } from '../../../src/model/fileNames.ts';
import { partFile } from '../../../src/model/partFile.ts';
import { caught, figure, full } from '../../support/figure.ts';

/** How a step upwards, and what is between two, may be written. */
const ups = [
  '..',
  '...',
  '.. ',
  '. .',
  '..;',
  '%2e%2e',
  '%252e%252e',
  '.%2e',
  '\u2025',
  '\uff0e\uff0e',
  '..\0',
  '.\u200b.',
  '..%00',
  '..::$DATA',
  '\u202e..',
  '\u0130..',
];
const between = [
  '/',
  '\\',
  '//',
  '\\\\',
  '/./',
  '\\.\\',
  '%2f',
  '%5c',
  '%252f',
  '\u2044',
  '\u2215',
  '\uff0f',
  '\uff3c',
  ':',
  '/\\',
  '\u2028',
];
const beginnings = [
  '',
  '/',
  '\\',
  '\\\\server\\share\\',
  '//server/share/',
  'C:',
  'C:\\',
  'c:/',
  '\\\\?\\C:\\',
  '\\\\.\\',
  'file:///',
  '~/',
  './',
  'a/',
  'a\\',
  '\0',
];
const ends = ['etc/passwd', 'Windows\\win.ini', '.bashrc', '', 'x.txt\0.png', 'boot.ini::$DATA', 'a'.repeat(300)];
const devices = [
  'CON',
  'prn',
  'Aux',
  'NUL',
  'CONIN$',
  'CONOUT$',
  'CLOCK$',
  ...[0, 1, 9].flatMap(digit => [`COM${digit}`, `lpt${digit}`]),
  'COM\u00b9',
  'COM\u00b2',
  'LPT\u00b3',
];
const tails = ['', '.', '.txt', '.tar.gz', ' ', ' .txt', '...', ':', ':x', '\t', '\u3000', '\u00a0'];
const strange = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter(character =>
  /[\p{C}\p{Z}\p{M}]/u.test(character),
);

/** Every way up, with the ways in and on. */
function* traversals(): Generator<string> {
  for (const beginning of beginnings)
    for (const up of ups)
      for (const step of between)
        for (const depth of [1, 3]) {
          for (const end of ends) yield beginning + (up + step).repeat(depth) + end;
        }
}
function* odd(): Generator<string> {
  for (const device of devices)
    for (const tail of tails) yield* [device + tail, `${device.toLowerCase()}${tail}`, `${tail}${device}`, `a/${device}${tail}`];
  for (const character of strange)
    yield* [character, `a${character}b`, `${character}.exe`, `x.${character}`, `${character}..${character}/`];
  // As often as a sample leaves names out, so that it has each of them.
  for (const character of '<>:"/\\|?*') for (let count = 1; count <= 11; count++) yield `a${character.repeat(count)}b`;
  // Where the name of an attached file is cut.
  for (const unit of ['😀', '. ']) for (let count = 1; count <= 11; count++) yield `${'a'.repeat(119)}${unit.repeat(count)}b`;
  // Letters of one, two, three and four bytes, cut in every place.
  for (const letter of ['a', 'é', '文', '😀', '👨‍👩‍👧', 'a\u0301', '.', ' ', '. '])
    for (let length = 50; length < 270; length += 7)
      yield* [letter.repeat(length), `x${letter.repeat(length)}`, `${letter.repeat(length)}.pdf`];
  yield* ['\ud800', 'a\udfff.txt', '', '.', '..', ' ', '.gitignore', '-rf', '~', '$HOME', '`x`', '__proto__', 'constructor'];
}

const folders = [
  [posix, '/home/ann/Downloads'],
  [win32, 'C:\\Users\\ann\\Downloads'],
] as const;
const device = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3])$/i;

/** What is wrong with a name that a file is to get; undefined for a good one. */
function wrong(name: string): string | undefined {
  for (const [path, folder] of folders) {
    const to = path.resolve(folder, name);
    if (path.dirname(to) !== folder || path.basename(to) !== name) return 'leads elsewhere';
  }
  if (device.test((name.split('.')[0] ?? '').trim())) return 'is a device';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return 'has what nobody sees';
  if (/[<>:"/\\|?*]/.test(name)) return 'has what Windows refuses';
  if (/^[-~]/.test(name)) return 'is an option or a home folder';
  if (/[. ]$|^[ ]/.test(name)) return 'is another one on Windows';
  return Buffer.byteLength(name) > 255 ? 'is longer than a file system takes' : undefined;
}

/** Everywhere an agent's or a page's name becomes one of ours. */
const makers: Readonly<Record<string, (name: string) => string>> = {
  'a part that is saved': name => partFile({ raw: '', filename: name, mediaType: 'image/png' }, undefined).name,
  'an artifact without a file name': name => partFile({ text: '' }, name).name,
  'an export': name => `${safeFileName(name.slice(0, 60), 'history')}.jsonl`,
  'an attached file': name => attachmentOf({ id: 'x', name, bytes: Buffer.of() }).name,
};
/** As one would write it without thinking. */
const unsafe = (name: string): string => name;

suite('names that strangers give to files', () => {
  const every = [...new Set([...traversals(), ...odd()])];
  /** A sample has each eleventh name; eleven divides none of the lists that the names are made of. */
  const names = full ? every : every.filter((_, index) => index % 11 === 0);

  function count(make: (name: string) => string): readonly string[] {
    return names.flatMap(name => {
      const fault = wrong(make(name));
      return fault === undefined ? [] : [`${JSON.stringify(name.slice(0, 60))} ${fault}: ${JSON.stringify(make(name).slice(0, 60))}`];
    });
  }

  test('none leads out of the folder, is a device or hides what it is, by the rules of POSIX and of Windows', () => {
    const faults = Object.entries(makers).flatMap(([maker, make]) => count(make).map(fault => `${maker}: ${fault}`));
    const outside = faults.filter(fault => fault.includes('leads elsewhere')).length;
    figure(
      'F8',
      { names: names.length, outside, unfit: faults.length - outside },
      `${names.length} names at ${Object.keys(makers).length} places, ${outside} outside, ${faults.length - outside} unfit`,
    );
    assert.deepEqual(faults.slice(0, 20), []);
    assert.ok(every.length >= 22_000, String(every.length));
  });

  test('names that are taken as they are would lead out, be devices and hide', () => {
    const faults = count(unsafe).join('\n');
    for (const fault of ['leads elsewhere', 'is a device', 'has what nobody sees', 'is another one on Windows', 'is longer'])
      assert.ok(faults.includes(fault), fault);
    caught('F8', 'names that are joined to the folder as they are');
  });

  test('what a draft is kept under is no path', () => {
    for (const name of every) if (PartId.safeParse(name).success) assert.equal(wrong(name.replace(device, 'x')), undefined, name);
  });

  test('no path of a request file is read outside of its folder', async () => {
    const root = join(import.meta.dirname, '..', '..', 'support');
    const files = new SandboxedFiles({ root, folder: root });
    let tried = 0;
    for (const [index, name] of names.entries()) {
      // Each costs a look at the disk.
      if (index % (full ? 21 : 4) !== 0) continue;
      tried++;
      const error: unknown = await files.read(name).then(
        () => undefined,
        (problem: unknown) => problem,
      );
      assert.ok(error instanceof Problem && ['file-outside', 'no-file'].includes(error.code), `${JSON.stringify(name)}: ${String(error)}`);
    }
    assert.ok(tried > (full ? 3000 : 1500), String(tried));
  });
});
