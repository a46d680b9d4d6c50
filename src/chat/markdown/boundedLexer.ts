import { Lexer, type MarkedOptions, Tokenizer, type Token, type Tokens } from 'marked';

/** Maximum nesting of lists and quotations. */
export const maxContainers = 16;
/** Maximum nesting of lists, quotations, emphasis and links together. */
export const maxDepth = 24;

/** Current nesting depth of the lexer. */
interface Depth {
  containers: number;
  all: number;
}

/** Text nested too deeply, as plain text: rendering tokens recurses once per level. */
const plain = (text: string): Tokens.Escape => ({ type: 'escape', raw: text, text });

const chinese = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/;
/** Marks of Chinese and its quotation marks, which end a bare address. */
const chineseMark = /[\u2018-\u201d\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;
/** Emphasis with nothing emphasized inside. */
const emphasis = /^(\*\*?)(?![\s*])[^*\n]+(?<!\s)\1(?!\*)/;

/** Marked calls `blockquote` and `list` recursively, without going through its lexer. */
class BoundedTokenizer extends Tokenizer {
  readonly #depth: Depth;

  constructor(depth: Depth, options: MarkedOptions) {
    super(options);
    this.#depth = depth;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!this.rules.block.blockquote.test(src)) return undefined;
    return this.#container(src, () => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    if (!this.rules.block.list.test(src)) return undefined;
    return this.#container(src, () => super.list(src));
  }

  /** CommonMark takes asterisks beside punctuation for marks only next to a space, and Chinese has none: `**注意：**请带伞。` is bold here. */
  override emStrong(src: string, maskedSrc: string, prevChar = ''): Tokens.Em | Tokens.Strong | undefined {
    const [masked = '', marks = ''] = (prevChar !== '*' && emphasis.exec(maskedSrc.slice(-src.length))) || [];
    const raw = src.slice(0, masked.length);
    const text = raw.slice(marks.length, -marks.length);
    if (!chinese.test(prevChar + text.charAt(0) + text.slice(-1) + src.charAt(raw.length)) || raw === '')
      return super.emStrong(src, maskedSrc, prevChar);
    return { type: marks === '**' ? 'strong' : 'em', raw, text, tokens: this.lexer.inlineTokens(text) };
  }

  override url(src: string): Tokens.Link | undefined {
    const link = super.url(src);
    const end = link?.raw.search(chineseMark) ?? -1;
    return end < 0 ? link : super.url(src.slice(0, end));
  }

  #container<T>(src: string, read: () => T): T {
    // The rest of the surrounding text as well becomes plain text.
    if (this.#depth.containers >= maxContainers) return plain(src) as unknown as T;
    this.#depth.containers++;
    this.#depth.all++;
    try {
      return read();
    } finally {
      this.#depth.containers--;
      this.#depth.all--;
    }
  }
}

/** Marked's lexer with bounded nesting, whatever the input. */
export class BoundedLexer extends Lexer {
  readonly #depth: Depth;
  /** Marked reads inline text after all blocks: this keeps the depth of nested blocks until then. A table may have 200,000 cells. */
  readonly #depthOf = new Map<readonly Token[], number>();

  constructor(options: MarkedOptions) {
    const depth: Depth = { containers: 0, all: 0 };
    super({ ...options, tokenizer: new BoundedTokenizer(depth, options) });
    this.#depth = depth;
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    if (this.#depth.all > 0) this.#depthOf.set(tokens, this.#depth.all);
    return super.inline(src, tokens);
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const around = this.#depth.all;
    const depth = this.#depthOf.get(tokens) ?? around;
    if (depth >= maxDepth) {
      tokens.push(plain(src));
      return tokens;
    }
    this.#depth.all = depth + 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth.all = around;
    }
  }
}
