/** A range of a text, in UTF-16 code units from its start. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** A value with its range in the text. */
export interface Located<T> {
  readonly value: T;
  readonly range: TextRange;
}

export const endOf = ({ offset, length }: TextRange): number => offset + length;

/** True where `inner` is completely inside `outer`. */
export const contains = (outer: TextRange, inner: TextRange): boolean => inner.offset >= outer.offset && endOf(inner) <= endOf(outer);
