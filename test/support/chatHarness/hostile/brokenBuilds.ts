import { sourceEdits } from './sourceEdits.ts';

/** HTML in Markdown is put into the page as HTML. */
export const htmlInMarkdown: readonly [from: string, to: string] = [
  'return block ? (',
  'if (text) return <span data-block={block} dangerouslySetInnerHTML={{ __html: text }} />; return block ? (',
];

/** Without the bounds on the depth of Markdown: it is nested as deeply as it is written. */
export const withoutDepthBound = sourceEdits('without-depth-bound', {
  'markdown/boundedLexer.ts': [
    ['this.#depth.containers >= maxContainers', 'false'],
    ['depth >= maxDepth', 'false'],
  ],
  'markdown/parse.ts': [['slow.test(block)', 'false']],
});

/** Without the check for Markdown that takes long to parse. */
export const withoutSlownessCheck = sourceEdits('without-slowness-check', {
  'markdown/parse.ts': [['if (!isQuickToParse(block)) return undefined;', '']],
});

/** Without the error boundary of an entry: an error while one entry is drawn stops the drawing of all. */
export const withoutErrorBoundary = sourceEdits('without-error-boundary', {
  'errorBoundary.tsx': [
    ['getDerivedStateFromError', 'notAsked'],
    ['componentDidCatch', 'notTold'],
  ],
});

/** A text that contains this cannot be drawn in the build `withFault`. */
export const undrawable = 'cannot be drawn here';

/** Drawing a text that contains `undrawable` throws, as a mistake of ours would. */
export const withFault = sourceEdits('with-fault', {
  'markdown/markdown.tsx': [
    [
      'const [pages, setPages] = useState(1);',
      `if (text.toString().includes('${undrawable}')) throw new Error('a planted fault'); const [pages, setPages] = useState(1);`,
    ],
  ],
});

/** HTML in an agent's Markdown is put into the page as HTML. */
export const withHtml = sourceEdits('with-html', { 'markdown/tokens.tsx': [htmlInMarkdown] });
