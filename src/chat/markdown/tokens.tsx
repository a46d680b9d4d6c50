import type { ComponentChild, JSX } from 'preact';
import type { Token, Tokens } from 'marked';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { AskLink, Icon } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { visible, visibleName } from '../text/visible.ts';
import { CodeBlock } from './code.tsx';
import { decodeEntities } from './entities.ts';
import { linkTarget } from './linkTarget.ts';

/**
 * Renders Markdown tokens as elements. HTML is never inserted: an agent can only make the elements listed here, every text is a text node,
 * and HTML in the source is shown as text.
 */
export function tokens(list: readonly Token[] | undefined, finished: boolean): ComponentChild {
  return (list ?? []).map((token, index) => <Piece key={index} token={token as MarkedToken} finished={finished} />);
}

type MarkedToken =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Tag
  | Tokens.Text;

function Piece({ token, finished }: { readonly token: MarkedToken; readonly finished: boolean }): ComponentChild {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'heading':
      return <Heading depth={token.depth}>{tokens(token.tokens, finished)}</Heading>;
    case 'paragraph':
      return <p dir="auto">{tokens(token.tokens, finished)}</p>;
    case 'blockquote':
      return <blockquote>{tokens(token.tokens, finished)}</blockquote>;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang?.trim().split(/\s/)[0] ?? ''} finished={finished} />;
    case 'list':
      return <List token={token} finished={finished} />;
    case 'list_item':
      return <li dir="auto">{tokens(token.tokens, finished)}</li>;
    case 'checkbox':
      return <Checkbox checked={token.checked} />;
    case 'table':
      return <Table token={token} finished={finished} />;
    case 'strong':
      return <strong>{tokens(token.tokens, finished)}</strong>;
    case 'em':
      return <em>{tokens(token.tokens, finished)}</em>;
    case 'del':
      return <del>{tokens(token.tokens, finished)}</del>;
    case 'codespan':
      return <code dir="auto">{withDirectionMarksSpelledOut(token.text)}</code>;
    case 'link':
      return <Link token={token} finished={finished} />;
    case 'image':
      return <Image token={token} />;
    case 'escape':
      return withDirectionMarksSpelledOut(token.text);
    case 'html':
      return <Html text={token.text} block={token.block} />;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? tokens(token.tokens, finished)
        : withDirectionMarksSpelledOut(decodeEntities(token.text));
    default:
      return withDirectionMarksSpelledOut((token as Token).raw);
  }
}

/** Headings of an agent are below the panel's in the document outline, and small. */
function Heading({ depth, children }: { readonly depth: number; readonly children: ComponentChild }): JSX.Element {
  return (
    <div class={`heading heading-${depth}`} role="heading" dir="auto" aria-level={Math.min(depth + 2, 6)}>
      {children}
    </div>
  );
}

function List({ token, finished }: { readonly token: Tokens.List; readonly finished: boolean }): JSX.Element {
  const items = tokens(token.items, finished);
  return token.ordered ? (
    <ol start={token.start === '' ? 1 : token.start}>{items}</ol>
  ) : (
    <ul class={token.items.some(({ task }) => task) ? 'tasks' : ''}>{items}</ul>
  );
}

function Checkbox({ checked }: { readonly checked: boolean }): JSX.Element {
  return (
    <span class="checkbox" role="img" aria-label={checked ? t('done') : t('not done')}>
      <Icon name={checked ? 'check' : 'chrome-maximize'} />
    </span>
  );
}

function Table({ token, finished }: { readonly token: Tokens.Table; readonly finished: boolean }): JSX.Element {
  const align = (cell: Tokens.TableCell): string => (cell.align === null ? '' : `align-${cell.align}`);
  return (
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} class={align(cell)} dir="auto">
                {tokens(cell.tokens, finished)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={align(cell)} dir="auto">
                  {tokens(cell.tokens, finished)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Also shows the target of a link whose text is a different address. */
function Link({ token, finished }: { readonly token: Tokens.Link; readonly finished: boolean }): JSX.Element {
  const href = decodeEntities(token.href);
  const target = linkTarget(href);
  const words = tokens(token.tokens, finished);
  if (target === undefined)
    return (
      <span class="dead-link">
        {words} <span class="address">({visible(href)})</span>
      </span>
    );
  const claimed = linkTarget(token.text.trim());
  const honest = claimed === undefined || new URL(claimed.url).host === new URL(target.url).host;
  return (
    <>
      <AskLink url={target.url} shown={target.shown}>
        {visibleWords(token) ?? words}
      </AskLink>
      {!honest && <span class="address"> ({target.shown})</span>}
    </>
  );
}

/** The text of a link with hidden characters spelled out; undefined where it has none. */
function visibleWords({ text }: Tokens.Link): string | undefined {
  const shown = visible(decodeEntities(text));
  return shown === decodeEntities(text) ? undefined : shown;
}

/** Images are not loaded automatically: the request would reveal to the agent's server who reads, and when. */
function Image({ token }: { readonly token: Tokens.Image }): JSX.Element {
  const href = decodeEntities(token.href);
  const target = linkTarget(href);
  const shown = target?.shown ?? visibleName(href, 100);
  return (
    <span class="remote-image" title={t('Pictures from the network are not loaded')}>
      <Icon name="file-media" />
      {token.text !== '' && <span>{visibleName(decodeEntities(token.text))}</span>}
      {target === undefined ? (
        <span class="address">{shown}</span>
      ) : (
        <AskLink url={target.url} shown={target.shown}>
          {shown}
        </AskLink>
      )}
    </span>
  );
}

function Html({ text, block }: { readonly text: string; readonly block: boolean }): JSX.Element {
  if (/^<br\s*\/?>$/i.test(text)) return <br />;
  return block ? (
    <pre class="html" dir="auto">
      {withDirectionMarksSpelledOut(text)}
    </pre>
  ) : (
    <span class="html">{withDirectionMarksSpelledOut(text)}</span>
  );
}
