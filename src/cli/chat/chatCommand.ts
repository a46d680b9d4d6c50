/** A parsed line of a chat. */
type Typed =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'attach'; readonly path: string }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'new' | 'help' | 'exit' | 'nothing' }
  | { readonly kind: 'unknown'; readonly word: string };

export const chatHelp = `  TEXT          send a message; begin it with // for one that begins with a slash
  /attach FILE  attach a file to the next message
  /new          start a new context
  /task         show the current task; /task ID continues another one
  /help         show this list
  /exit         leave, as does Ctrl+D
  Ctrl+C        cancel the running task; again, or without one, leave`;

export function readTyped(line: string): Typed {
  if (line.startsWith('//')) return { kind: 'message', text: line.slice(1) };
  const [, word = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  if (!line.startsWith('/')) return line.trim() === '' ? { kind: 'nothing' } : { kind: 'message', text: line };
  switch (word) {
    case 'attach':
      return { kind: 'attach', path: rest.trim() };
    case 'task':
      return { kind: 'task', id: rest.trim() };
    case 'new':
    case 'help':
    case 'exit':
      return { kind: word };
    default:
      return { kind: 'unknown', word };
  }
}
