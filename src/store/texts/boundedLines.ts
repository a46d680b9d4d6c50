/** A line of a text, without its end; `text` is undefined for one that is too long. */
export interface Line {
  /** From 1 on. */
  readonly number: number;
  readonly text: string | undefined;
}

/** Longest lines that are read, in bytes. */
export interface LineBounds {
  readonly longest: number;
  /** Lines with this beginning, which is of ASCII, may be as long as this. */
  readonly marked?: { readonly head: string; readonly longest: number };
}

/** The lines of a UTF-8 text that comes in chunks. One that is too long is left out and reported without its text. */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { longest, marked = { head: '', longest } }: LineBounds,
): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  let [size, most, number] = [0, longest, 1];
  const take = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size > most && most === longest)
      most = Buffer.concat([...pieces, bytes], marked.head.length).toString('latin1') === marked.head ? marked.longest : 0;
    if (size <= most) pieces.push(bytes);
    else pieces = [];
  };
  const end = (): Line => {
    const line = { number, text: size <= most ? decoder.decode(Buffer.concat(pieces)) : undefined };
    pieces = [];
    [size, most] = [0, longest];
    number++;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      take(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0) yield end();
}
