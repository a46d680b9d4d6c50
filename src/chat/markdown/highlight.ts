import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { maxWeight } from '../text/pages.ts';
import { type Language, languageNamed, languages } from './languages.ts';

/** A small CSS grammar by syntax: highlight.js' own has long lists of every property and element. */
const cssGrammar: LanguageFn = hljs => {
  const comment = hljs.C_BLOCK_COMMENT_MODE;
  const strings = [hljs.APOS_STRING_MODE, hljs.QUOTE_STRING_MODE];
  const number = { scope: 'number', match: /#[\da-fA-F]{3,8}\b|[+-]?(?:\d+\.?\d*|\.\d+)(?:%|[a-zA-Z]+)?/ };
  const call = { scope: 'built_in', match: /[\w-]+(?=\()/ };
  const property = { scope: 'attribute', match: /-?-?[a-zA-Z_][\w-]*(?=\s*:)/ };
  const value = {
    begin: /:/,
    end: /(?=[;}{])/,
    contains: [comment, ...strings, call, { scope: 'attr', match: /--[\w-]+/ }, number, { scope: 'meta', match: /!important/ }],
  };
  const declaration = { begin: /(?=-?-?[a-zA-Z_][\w-]*\s*:[^{}]*(?:[;}]|$))/, end: /(?=[;}])/, contains: [property, value] };
  const selectors = [
    { scope: 'selector-id', match: /#[a-zA-Z_][\w-]*/ },
    { scope: 'selector-class', match: /\.[a-zA-Z_-][\w-]*/ },
    { scope: 'selector-attr', begin: /\[/, end: /\]/, contains: strings },
    { scope: 'selector-pseudo', match: /::?[a-zA-Z-]+/ },
    { scope: 'selector-tag', match: /-?-?[a-zA-Z_][\w-]*/ },
  ];
  const atRule = {
    begin: /(?=@)/,
    end: /(?=[{;])/,
    contains: [
      { scope: 'keyword', match: /@[\w-]+/ },
      { scope: 'keyword', match: /\b(?:and|or|not|only)\b/ },
      property,
      ...strings,
      call,
      number,
    ],
  };
  const block = { begin: /\{/, end: /\}/, contains: [comment, declaration, 'self' as const, atRule, ...selectors, number] };
  return { name: 'CSS', case_insensitive: true, contains: [comment, atRule, block, ...selectors, number] };
};

/** The TypeScript grammar is also used for JavaScript; a second grammar would be nearly the same. */
const grammars: Readonly<Record<Language, LanguageFn>> = {
  bash,
  css: cssGrammar,
  diff,
  go,
  java,
  json,
  markdown,
  python,
  sql,
  typescript,
  xml,
  yaml,
};

/** Registers all grammars, which takes too long for the start of a page: most conversations have no code. */
function registerLanguages(): void {
  for (const [name, grammar] of Object.entries(grammars)) {
    hljs.registerLanguage(name, grammar);
    // Embedded grammars in HTML refer to each other by these names.
    hljs.registerAliases([...languages[name as Language]], { languageName: name });
  }
}

/** Longer code, in characters, is not highlighted: the patterns are not linear for all input. */
const maxLength = 40_000;

/** A piece of highlighted code: text, or pieces with a class such as `hljs-string`. */
export type HighlightedCode = string | { readonly name: string; readonly pieces: readonly HighlightedCode[] };

/**
 * Highlighted code as a tree rather than highlight.js' HTML, so that an agent's text is never parsed as HTML. Undefined for an unknown
 * language, or code that is too long or would be too many elements.
 */
export function highlight(code: string, language: string): readonly HighlightedCode[] | undefined {
  const known = languageNamed(language);
  if (code.length > maxLength || known === undefined) return undefined;
  if (hljs.listLanguages().length === 0) registerLanguages();
  const { value } = hljs.highlight(code, { language: known, ignoreIllegals: true });
  return value.split('<span').length > maxWeight ? undefined : readSpans(value);
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** Parses the output of highlight.js: text with five escapes, and nested `<span class="…">`. */
export function readSpans(html: string): readonly HighlightedCode[] {
  const root: HighlightedCode[] = [];
  const open: HighlightedCode[][] = [root];
  for (const [, name, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    const pieces = open.at(-1) ?? root;
    if (text !== undefined) pieces.push(text.replace(/&(?:amp|lt|gt|quot|#x27);/g, entity => entities[entity] ?? entity));
    else if (close !== undefined) open.pop();
    else {
      const inner: HighlightedCode[] = [];
      pieces.push({ name: name ?? '', pieces: inner });
      open.push(inner);
    }
  }
  return root;
}
