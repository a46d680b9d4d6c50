const words =
  'The harbour keeps a log of every sailboat that leaves before dawn and of the **weather** it met on the way to `Helsinki`'.split(' ');

/** Repeated in order, they make a document of headings, paragraphs, lists, tables and code, like a language model's. */
export function markdown(index: number): string {
  const line = Math.floor(index / 12);
  const place = index % 12;
  if (place < 11) return `${words[(index * 7) % words.length]} `;
  switch (line % 16) {
    case 0:
      return `\n\n## Chapter ${Math.floor(line / 16) + 1}\n\n`;
    case 4:
    case 5:
    case 6:
      return '\n- ';
    case 7:
      return '\n\n| boat | left | came back |\n| --- | ---: | --- |\n| ';
    case 8:
    case 9:
      return ' | 04:10 | 17:55 |\n| ';
    case 10:
      return ' | 05:00 | – |\n\n```typescript\nconst sails = [';
    case 11:
    case 12:
      return '\n  // ';
    case 13:
      return '\n];\n```\n\n';
    default:
      return line % 2 === 0 ? '\n\n' : '. ';
  }
}
