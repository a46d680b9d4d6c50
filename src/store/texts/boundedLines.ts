/** A line of a text, without its end; `text` is undefined for one that is too long. */
export interface Line {
  /** From 1 on. */
  readonly number: number;
  readonly text: string | undefined;
}

/** The lines of a UTF-8 text that comes in chunks. A line of more than `longest` UTF-16 code units is left out and reported without its text. */
export async function* boundedLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, longest: number): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  let number = 1;
  const take = (text: string): void => {
    length += text.length;
    if (length <= longest) pieces.push(text);
    else pieces = [];
  };
  const end = (): Line => {
    const line = { number, text: length <= longest ? pieces.join('') : undefined };
    pieces = [];
    length = 0;
    number++;
    return line;
  };
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) yield end();
      take(part);
    }
  }
  take(decoder.decode());
  if (length > 0) yield end();
}
