import { isNumber } from '../../protocol/exactNumber.ts';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { hiddenSecret } from '../../protocol/secrets/withoutSecrets.ts';
import { CopyButton, Icon, TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { weightOf } from '../markdown/firstShown.ts';
import { onPages } from '../text/pages.ts';
import { visible, visibleLines, visibleName } from '../text/visible.ts';
import { hiddenValue, shownJson } from './secrets.ts';
import { type JsonContainer, childrenOf, isContainer, initiallyOpenPaths, sizeOfContainer, childPointer } from './jsonShape.ts';

/** Maximum number of members of one branch shown at once. */
const page = 100;
/** Maximum number of characters of one text shown. */
const maxText = 2_000;
/** Weight of a line of the tree. */
const perLine = 8;
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
  const [pages, setPages] = useState(1);
  const children = childrenOf(value, (pages + 1) * page);
  const membersOn = (count: number): number => onPages(children.length, count, page, index => weightOfLeaf(children[index]?.[1]));
  const limit = membersOn(pages);
  const more = membersOn(pages + 1) - limit;
  const list = Array.isArray(value);
  return (
    <ul class="tree">
      {children.slice(0, limit).map(([name, child]) => (
        <Member key={name} name={name} child={child} index={list} path={childPointer(path, name)} open={open} depth={depth} />
      ))}
      {more > 0 && (
        <li>
          <TextButton class="quiet" onClick={() => setPages(pages + 1)}>
            {t('Show {0} More', more)}
          </TextButton>
        </li>
      )}
    </ul>
  );
}

/** About how many elements a value is drawn as where it stands on its line. */
export const weightOfLeaf = (value: unknown): number => perLine + (typeof value === 'string' ? weightOf(value.slice(0, maxText)) : 0);

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
  if (isNumber(value)) return <span class="hljs-number">{String(value)}</span>;
  if (isContainer(value)) return <bdi class="muted">{visible(shownJson(value).slice(0, maxText)).slice(0, maxText)}</bdi>;
  return <span class="hljs-literal">{String(value)}</span>;
}
