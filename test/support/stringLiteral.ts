/** The regular expression of a string literal in either kind of quotes: the formatter takes double ones where there is an apostrophe. One group, the literal with its quotes. */
export const stringLiteral = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;

/** The value of a string literal; supports escapes of quotes and backslashes only. */
export const textOfLiteral = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
