import type { LanguageFn } from 'highlight.js';

/** A small CSS grammar by syntax: highlight.js' own has long lists of every property and element. */
export const cssGrammar: LanguageFn = hljs => {
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
