/** What was typed as a number: its digits as JSON has them, or what it may mean where that is not certain; none where it is no number. */
export type NumberText = { readonly digits: string } | { readonly readings: readonly string[] };

/** Reads a decimal number. A comma stands for the point in many languages, and for groups of thousands in others. */
export function readNumber(typed: string, whole: boolean): NumberText {
  const text = typed.trim().replace(/^[−–]/, '-').replace(/^\+/, '');
  // A point before three digits ends no whole number: it may stand between thousands.
  if (whole && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) return { readings: [plain(text.replace('.', '')), plain(text)] };
  if (/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { digits: strict(text) };
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return { readings: [plain(text.replace(',', '')), plain(text.replace(',', '.'))] };
  if (/^-?\d+,\d+$/.test(text)) return { digits: strict(text.replace(',', '.')) };
  const grouped = /^(-?\d{1,3}(?:([,.\s'’_])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text);
  if (grouped === null || grouped[2] === grouped[3]) return { readings: [] };
  const [, groups = '', , , fraction] = grouped;
  return { readings: [plain(groups.replace(/[^\d-]/g, '') + (fraction === undefined ? '' : `.${fraction}`))] };
}

/** JSON has no zeros before the first digit, and always one before the point. */
const strict = (text: string): string => text.replace(/^(-?)0*(?=\d)/, '$1').replace(/^(-?)\./, '$10.');

/** The shortest way to write it, for a button. */
const plain = (text: string): string =>
  strict(text)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
