import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { hiddenSecret } from '../../protocol/secrets/withoutSecrets.ts';
import { CopyButton, Icon, TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { visible, visibleLines, visibleName } from '../text/visible.ts';
import { hiddenValue, shownJson } from './secrets.ts';
import { type JsonContainer, childrenOf, isContainer, initiallyOpenPaths, sizeOfContainer, childPointer } from './jsonShape.ts';

/** Maximum number of members of one branch shown at once. */
const page = 100;
/** Maximum number of characters of one text shown. */
const maxText = 2_000;
/** Maximum depth of the tree; deeper values are shown on one line. */
const deepest = 40;

/** A JSON value as a tree with collapsible branches. */
export function DataTree({ value }: { readonly value: JsonContainer }): JSX.Element {
  const open = useMemo(() => initiallyOpenPaths(value), [value]);
  return <Members value={value} path="" open={open} depth={0} />;
}

interface MembersProps {
  readonly value: JsonContainer;
  readonly path: string;
  readonly open: ReadonlySet<string>;
  readonly depth: number;
}

function Members({ value, path, open, depth }: MembersProps): JSX.Element {
  const [limit, setLimit] = useState(page);
  const rest = sizeOfContainer(value) - limit;
  const list = Array.isArray(value);
  return (
    <ul class="tree">
      {childrenOf(value, limit).map(([name, child]) => (
        <Member key={name} name={name} child={child} index={list} path={childPointer(path, name)} open={open} depth={depth} />
      ))}
      {rest > 0 && (
        <li>
          <TextButton class="quiet" onClick={() => setLimit(limit + page)}>
            {t('Show {0} More', Math.min(rest, page))}
          </TextButton>
        </li>
      )}
    </ul>
  );
}

interface MemberProps extends Omit<MembersProps, 'value'> {
  readonly name: string;
  readonly child: unknown;
  /** The name is an index in a list. */
  readonly index: boolean;
}

function Member({ name, child, index, path, open, depth }: MemberProps): JSX.Element {
  const [shown, setShown] = useState(open.has(path));
  const label = <bdi class={index ? 'tree-index' : 'hljs-attr'}>{visibleName(name, 80)}</bdi>;
  if (!isContainer(child) || sizeOfContainer(child) === 0 || depth >= deepest)
    return (
      <li class="tree-leaf">
        {label}: <Leaf value={child} />
      </li>
    );
  return (
    <li>
      <span class="tree-branch">
        <button type="button" class="tree-toggle" aria-expanded={shown} onClick={() => setShown(!shown)}>
          <Icon name={shown ? 'chevron-down' : 'chevron-right'} />
          {label}
          <span class="muted">{sizeWords(child)}</span>
        </button>
        <CopyButton text={() => shownJson(child, 2)} label={t('Copy {0}', visibleName(name, 80))} />
      </span>
      {shown && <Members value={child} path={path} open={open} depth={depth + 1} />}
    </li>
  );
}

const sizeWords = (value: JsonContainer): string => (Array.isArray(value) ? `[${value.length}]` : `{${sizeOfContainer(value)}}`);

/** Integers from here on may have been rounded by JSON.parse: a double has 53 bits. */
const roundedFrom = 2 ** 53;

/** A plain value in the colors of code, with line breaks; longer text is cut, the editor shows all of it. */
export function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  if (value === hiddenValue)
    return (
      <span class="muted" title={t('A password that was sent; it is not shown here.')}>
        {hiddenSecret}
      </span>
    );
  if (typeof value === 'string') {
    const shown = visibleLines(value.slice(0, maxText));
    return (
      <bdi class="hljs-string">
        {shown.slice(0, maxText)}
        {Math.max(value.length, shown.length) > maxText && <span class="muted">{t('… {0} characters', value.length)}</span>}
      </bdi>
    );
  }
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= roundedFrom) {
    return (
      <span class="hljs-number" title={t('So large a number may be rounded here. The wire tab has its digits.')}>
        ≈ {String(value)}
      </span>
    );
  }
  if (typeof value === 'number') return <span class="hljs-number">{String(value)}</span>;
  if (isContainer(value)) return <bdi class="muted">{visible(shownJson(value).slice(0, maxText)).slice(0, maxText)}</bdi>;
  return <span class="hljs-literal">{String(value)}</span>;
}
