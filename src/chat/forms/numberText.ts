/** A parsed number: its digits as in JSON, or possible readings where it is ambiguous; no readings where it is not a number. */
export type NumberText = { readonly digits: string } | { readonly readings: readonly string[] };

/** Parses a decimal number. Depending on the language, a comma is the decimal or the thousands separator. */
export function readNumber(typed: string, whole: boolean): NumberText {
  const text = typed.trim().replace(/^[−–]/, '-').replace(/^\+/, '');
  // In an integer field, a point before three digits may be a thousands separator.
  if (whole && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) return { readings: [plain(text.replace('.', '')), plain(text)] };
  if (/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { digits: strict(text) };
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return { readings: [plain(text.replace(',', '')), plain(text.replace(',', '.'))] };
  if (/^-?\d+,\d+$/.test(text)) return { digits: strict(text.replace(',', '.')) };
  const grouped = /^(-?\d{1,3}(?:([,.\s'’_])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text);
  if (grouped === null || grouped[2] === grouped[3]) return { readings: [] };
  const [, groups = '', , , fraction] = grouped;
  return { readings: [plain(groups.replace(/[^\d-]/g, '') + (fraction === undefined ? '' : `.${fraction}`))] };
}

/** JSON has no leading zeros, and always a digit before the point. */
const strict = (text: string): string => text.replace(/^(-?)0*(?=\d)/, '$1').replace(/^(-?)\./, '$10.');

/** The shortest notation, for a button. */
const plain = (text: string): string =>
  strict(text)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
