import * as assert from 'node:assert/strict';
import { PipelineGuard } from '../../../src/cli/terminal/pipelineGuard.ts';
import { caught, figure } from '../../support/figure.ts';

const rows: readonly (readonly [text: string, harmless: string])[] = [
  ['::add-mask::x\n', ':⟨:⟩add-mask::x\n'],
  ['a\n  \t::stop-commands::x\n', 'a\n  \t:⟨:⟩stop-commands::x\n'],
  ['a\r::error::x', 'a\r:⟨:⟩error::x'],
  ['\n\n::a\n::b', '\n\n:⟨:⟩a\n:⟨:⟩b'],
  ['a ##vso[task.setvariable variable=x]y ##vso[b]', 'a ##vso⟨[⟩task.setvariable variable=x]y ##vso⟨[⟩b]'],
  ['##VSO[a]##[error]', '##VSO⟨[⟩a]##⟨[⟩error]'],
  ["a ##teamcity[setParameter name='x']##TeamCity[b]", "a ##teamcity⟨[⟩setParameter name='x']##TeamCity⟨[⟩b]"],
  ['a ::b:: std::vector # [x] ##x[ ##\n[ ##city[ :\n:', 'a ::b:: std::vector # [x] ##x[ ##\n[ ##city[ :\n:'],
];

suite('commands to CI services', () => {
  /** @returns readings that are wrong, of the texts cut into two at every position and into single characters */
  function wrong(write: (guard: PipelineGuard, piece: string) => string): { readonly readings: number; readonly wrong: number } {
    let readings = 0;
    let failed = 0;
    for (const [text, harmless] of rows)
      for (let at = 0; at <= text.length; at++)
        for (const pieces of at === 0 ? [[...text], ['', text]] : [[text.slice(0, at), text.slice(at)]]) {
          const guard = new PipelineGuard();
          readings++;
          if (pieces.map(piece => write(guard, piece)).join('') !== harmless) failed++;
          assert.equal(write === each && guard.hasChanged !== (text !== harmless), false);
        }
    return { readings, wrong: failed };
  }
  const each = (guard: PipelineGuard, piece: string): string => guard.harmless(piece);

  test('are harmless however they are split', () => {
    const counts = wrong(each);
    figure(
      'F39',
      { readings: counts.readings, 'commands left': counts.wrong },
      `${counts.readings} texts in pieces, ${counts.wrong} with a command`,
    );
    assert.equal(counts.wrong, 0);
    // A guard that sees each piece by itself.
    assert.ok(wrong((_, piece) => new PipelineGuard().harmless(piece)).wrong > 0);
    caught('F39', 'a guard that looks at each piece by itself');
  });
});
