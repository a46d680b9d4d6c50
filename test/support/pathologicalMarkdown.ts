/** Texts that make one Markdown parser or another slow, deep, or large: each by about so many characters. */
export const pathologicalShapes: Readonly<Record<string, (length: number) => string>> = {
  brackets: n => '['.repeat(n), nestedBrackets: n => '['.repeat(n / 2) + ']'.repeat(n / 2), stars: n => '*a '.repeat(n / 3), underscores: n => 'a_'.repeat(n / 2),
  quotes: n => '>'.repeat(n), spacedQuotes: n => '> '.repeat(n / 2), ticks: n => Array.from({ length: Math.sqrt(n) * 1.3 }, (_, index) => `e${'`'.repeat(index)}`).join(''), images: n => '![[]()'.repeat(n / 6),
  links: n => '[a](<b'.repeat(n / 7), mails: n => 'a@b.c'.repeat(n / 5), addresses: n => 'http://a'.repeat(n / 8), comments: n => '<!--'.repeat(n / 4), tags: n => '<a '.repeat(n / 3),
  ampersands: n => '&'.repeat(n), escapes: n => '\\'.repeat(n), lists: n => Array.from({ length: Math.sqrt(n) }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n'),
  wideTable: n => `${'|a'.repeat(n / 8)}\n${'|-'.repeat(n / 8)}\n${'|a\n'.repeat(n / 24)}`, narrowLinesTable: n => `${'|a'.repeat(49)}\n${'|-'.repeat(49)}\n${'|\n'.repeat(n / 5)}`,
  strikes: n => '~~a'.repeat(n / 3), definitions: n => '[a]:'.repeat(n / 4), blanks: n => `a${' '.repeat(n - 2)}b`, lines: n => 'a\n'.repeat(n / 2), dashes: n => '- '.repeat(n / 2),
  emphasis: n => `${'*'.repeat(n / 2)}a${'*'.repeat(n / 2)}`, mailLike: n => `${'a'.repeat(50)}@`.repeat(n / 51), shortLinesOfStars: n => '*a **b\n'.repeat(n / 7), quotesPerLine: n => '> > > > a\n'.repeat(n / 10),
  paragraphs: n => 'a *b*\n\n'.repeat(n / 7), fences: n => '```js\na = 1\n```\n\n'.repeat(n / 16), headings: n => '# a\n\n'.repeat(n / 5), tables: n => '|a|b|\n|-|-|\n|c|d|\n\n'.repeat(n / 19),
  linkLines: n => '[a](http://b) '.repeat(n / 14), codeSpans: n => '`a` '.repeat(n / 4), unclosedSpans: n => '`a ``b '.repeat(n / 7), references: n => `${'[a] '.repeat(n / 8)}\n\n${'[a]: b\n'.repeat(n / 14)}`,
  shortLists: n => '- a\n'.repeat(n / 4), numbered: n => '1. a\n'.repeat(n / 5), rules: n => '***\n'.repeat(n / 4), hardBreaks: n => 'a  \n'.repeat(n / 4), turned: n => '\u{202e}a'.repeat(n / 2),
};
