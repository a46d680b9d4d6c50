import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { duplicateMember } from '../../protocol/json/duplicateMember.ts';
import { parseExactly, writeExactly } from '../../protocol/json/exactJson.ts';
import type { Headers } from '../../protocol/exchange.ts';
import { Code } from '../markdown/code.tsx';
import { t } from '../text/strings.ts';
import { visible } from '../text/visible.ts';
import { CopyButton } from '../widgets/button.tsx';

/** Maximum number of bytes in a table of hexadecimal digits. */
const maxDumped = 8 * 1024;
const perLine = 16;

export function HeaderList({ first, headers }: { readonly first: string; readonly headers: Headers }): JSX.Element {
  return (
    <pre class="wire-text" tabIndex={0}>
      {visibleLines([first, ...headers.map(([name, value]) => `${name}: ${value}`)])}
    </pre>
  );
}

/** Spells out hidden characters within each line. */
const visibleLines = (lines: readonly string[]): string => lines.map(visible).join('\n');

/** A body or an event: indented where it is JSON, or with `raw` as it was on the wire. `bytes` are in base64, where it was no text. */
export function Body({
  text,
  bytes,
  raw,
  label,
}: {
  readonly text: string;
  readonly bytes?: string | undefined;
  readonly raw: boolean;
  readonly label: string;
}): JSX.Element {
  const json = useMemo(() => (raw ? undefined : indented(text)), [text, raw]);
  const dump = useMemo(() => (raw && bytes !== undefined ? hexDump(bytes) : undefined), [bytes, raw]);
  return (
    <div class="wire-body">
      <pre class="wire-text" tabIndex={0}>
        {json === undefined ? (dump ?? visibleLines(text.split(/\r?\n/))) : <Code code={json} language="json" />}
      </pre>
      <CopyButton text={() => (raw ? text : (json ?? text))} label={label} />
    </div>
  );
}

function indented(text: string): string | undefined {
  try {
    const value = parseExactly(text);
    // Of two members of one name, only one would be left.
    return duplicateMember(text) === undefined ? writeExactly(value) : undefined;
  } catch {
    return undefined; // Not JSON, or cut: shown unchanged.
  }
}

/** Offsets, hexadecimal digits and printable characters, as debuggers write them. */
function hexDump(base64: string): string {
  let binary: string;
  try {
    binary = atob(base64.slice(0, Math.ceil((maxDumped * 4) / 3 / 4) * 4));
  } catch {
    return base64; // Cut within a group of four: shown as it came.
  }
  const lines: string[] = [];
  for (let at = 0; at < Math.min(binary.length, maxDumped); at += perLine) {
    const piece = [...binary.slice(at, at + perLine)];
    const digits = piece.map(character => character.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
    const characters = piece.map(character => (character >= ' ' && character <= '~' ? character : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${digits.padEnd(perLine * 3 - 1)}  ${characters}`);
  }
  if (base64.length > (maxDumped * 4) / 3) lines.push(t('This is long: only a part is shown here. The editor shows all of it.'));
  return lines.join('\n');
}
