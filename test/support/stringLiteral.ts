/** The regular expression of a string literal in either kind of quotes: the formatter takes double ones where there is an apostrophe. One group, the literal with its quotes. */
export const stringLiteral = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;

/** What a literal says; escapes other than of quotes and backslashes are not expected. */
export const textOfLiteral = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
