import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = { bash, css, diff, go, java, javascript, json, markdown, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Longer code is shown without colours: the patterns are not linear for everything that can be written. */
const maxLength = 40_000;

/** A piece of coloured code: text, or pieces under a class such as `hljs-string`. */
export type Coloured = string | { readonly className: string; readonly pieces: readonly Coloured[] };

/**
 * Code in colours, as a tree instead of highlight.js' HTML, so that no text of an agent is ever read as HTML. Undefined for an
 * unknown language or code that is too long.
 */
export function highlight(code: string, language: string): readonly Coloured[] | undefined {
  if (code.length > maxLength || hljs.getLanguage(language) === undefined) return undefined;
  return readSpans(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': '\'' };

/** Reads what highlight.js writes: text with five escapes, and nested `<span class="…">`. */
export function readSpans(html: string): readonly Coloured[] {
  const root: Coloured[] = [];
  const open: Coloured[][] = [root];
  for (const [, className, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    const pieces = open.at(-1) ?? root;
    if (text !== undefined) pieces.push(text.replace(/&(?:amp|lt|gt|quot|#x27);/g, entity => entities[entity] ?? entity));
    else if (close !== undefined) open.pop();
    else {
      const inner: Coloured[] = [];
      pieces.push({ className: className ?? '', pieces: inner });
      open.push(inner);
    }
  }
  return root;
}

/** The language a media type means, for text parts that are code: `application/json` is `json`, `text/x-python` is `python`. */
export function languageOf(mediaType: string): string | undefined {
  const name = (mediaType.split(';')[0] ?? '').trim().toLowerCase().replace(/^[^/]*\//, '').replace(/^(?:x-|vnd\.)/, '');
  const suffix = name.replace(/^.*\+/, '');
  return [name, suffix].find(candidate => hljs.getLanguage(candidate) !== undefined);
}
