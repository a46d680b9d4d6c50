import type { HLJSApi, Language } from 'highlight.js';

/**
 * Style sheets in colours by their shape. The package's own table of every property and element of CSS would be a twentieth of the panel.
 */
export function css(hljs: HLJSApi): Language {
  const value = [
    hljs.C_BLOCK_COMMENT_MODE, hljs.APOS_STRING_MODE, hljs.QUOTE_STRING_MODE,
    { scope: 'number', begin: /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/ }, { scope: 'number', begin: /-?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:%|[a-z]{1,5})?/ },
    { scope: 'built_in', begin: /(?<![\w-])[a-z][\w-]{0,40}(?=\()/ }, { scope: 'meta', begin: /!important/ }, { scope: 'keyword', begin: /@[a-z-]{1,40}/ },
  ];
  return {
    name: 'CSS',
    case_insensitive: true,
    contains: [
      // What ends before the next block begins is a property; the rest is a selector. Everything is bounded, since it is looked for at every word.
      { scope: 'attribute', begin: /(?<![\w-])(?:--[\w-]{1,60}(?=\s{0,9}:)|[a-z-]{1,40}(?=\s{0,9}:[^{};]{0,100}(?:[;}]|$)))/ },
      { scope: 'selector-pseudo', begin: /::?[a-z-]{1,40}(?=[^;}]{0,100}\{)/ },
      { scope: 'selector-id', begin: /#[a-z_][\w-]{0,60}(?=[^;}]{0,100}\{)/ },
      { scope: 'selector-class', begin: /\.[a-z_][\w-]{0,60}/ },
      { scope: 'selector-tag', begin: /(?<![\w-])[a-z][a-z\d]{0,40}(?=[^;}():]{0,100}\{)/ },
      ...value,
    ],
  };
}
