import type { Token } from 'marked';

/**
 * A formula in a line: `$x_1$`, by the rules that keep prices out ("$5 and $6"): nothing but a space or a mark stands before it and after it,
 * and no space beside its own marks. Or `$$…$$`, which may have several lines.
 */
const formula = /(?<![\w$\\])(?:\$(?![\s$])[^$\n`]{1,1000}(?<![\s\\])\$|\$\$[^$`]{1,4000}\$\$)(?![\w$])/g;
/** Links and the borders of cells, which stand between two prices; and lines of a quotation, whose beginnings are marks that count. */
const noFormula = /\]\(|:\/\/|\s\|\s|\n[ \t]*(?:\n|>)/;

/** Characters that Markdown reads as marks, in texts and at the beginning of a line. */
const marks = '\\*_~<>[]()!#+-=.';
/** Each stands for the mark at its place; private use, so no text of a language has them. */
const first = 0xe0a0;
const standIns = new RegExp(`[${String.fromCharCode(first)}-${String.fromCharCode(first + marks.length - 1)}]`, 'g');
const mark = /[\\*_~<>[\]()!#+\-=.]/g;

/** The text with the marks in its formulas replaced by as many other characters, so that Markdown does not read them; undefined where there is none. */
export function withoutMathMarks(text: string): string | undefined {
  if (!text.includes('$') || text.search(standIns) >= 0) return undefined;
  const changed = text.replaceAll(formula, written =>
    noFormula.test(written) ? written : written.replaceAll(mark, one => String.fromCharCode(first + marks.indexOf(one))),
  );
  return changed === text ? undefined : changed;
}

/** Puts the marks back into all texts of the tokens, in place. */
export function restoreMathMarks(tokens: readonly Token[]): void {
  restore(tokens);
}

/** Nesting is as deep as that of the tokens, which is bounded. */
function restore(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(standIns, standIn => marks.charAt(standIn.charCodeAt(0) - first));
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const restored = restore(member);
      if (restored !== member) (value as Record<string, unknown>)[name] = restored;
    }
  return value;
}
