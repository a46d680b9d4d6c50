import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { caught, figure, full } from '../../support/figure.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

type Versions = Readonly<Record<string, string>>;
interface Locked {
  readonly dev?: boolean;
  readonly version?: string;
  readonly hasInstallScript?: boolean;
}

/** The rows of the table of packages in docs/dependencies.md: a reason for each name. */
function reasonsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .map(line => line.split('|').map(cell => cell.trim()))
      .filter(cells => cells.length === 5)
      .flatMap(([, names = '', , why = '']) => names.split(', ').map(name => [name, why] as const)),
  );
}

const withoutReason = (versions: Versions, reasons: ReadonlyMap<string, string>): readonly string[] =>
  Object.keys(versions).filter(name => (reasons.get(name) ?? '') === '');
const inexact = (versions: Versions): readonly string[] => Object.keys(versions).filter(name => !/^\d+\.\d+\.\d+$/.test(versions[name]!));
const installing = (packages: Readonly<Record<string, Locked>>): readonly string[] =>
  Object.keys(packages).filter(path => packages[path]!.dev !== true && packages[path]!.hasInstallScript === true);

suite('packages that the extension is made of', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: Versions };
  const reasons = reasonsIn(read('docs/dependencies.md'));

  test('each has a reason, an exact version and no install script', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
    const found = { unexplained: withoutReason(dependencies, reasons), inexact: inexact(dependencies), installing: installing(packages) };
    figure(
      'F23',
      { 'packages without a reason': found.unexplained.length, 'inexact versions': found.inexact.length },
      `${Object.keys(dependencies).length} packages of which the extension is made, each with its reason in docs/dependencies.md`,
    );
    assert.deepEqual(found, { unexplained: [], inexact: [], installing: [] });
  });

  test('no reason is left for a package that is gone', () =>
    assert.deepEqual(
      [...reasons.keys()].filter(name => !['package', '---'].includes(name) && !(name in dependencies)),
      [],
    ));

  test('a package without a reason, a range of versions and an install script are found', () => {
    const added = { ...dependencies, 'left-pad': '^1.3.0' };
    assert.deepEqual(withoutReason(added, reasons), ['left-pad']);
    assert.deepEqual(withoutReason({ ws: '1.0.0' }, reasonsIn('| ws | MIT |  |')), ['ws']);
    assert.deepEqual(inexact(added), ['left-pad']);
    assert.deepEqual(installing({ a: { hasInstallScript: true }, b: { hasInstallScript: true, dev: true } }), ['a']);
    if (full) caught('F23', 'a package without a reason');
  });
});
