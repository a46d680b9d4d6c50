import { useState } from 'preact/hooks';
import { maxDropped } from '../host/limits.ts';
import type { Panel } from '../panel/panel.ts';

/** Data types in which VS Code passes URIs of items dragged from its views; one URI per line, `#` starts a comment. */
const addressTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

interface FileDrop {
  /** An attachable item is dragged over the element. */
  readonly over: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
    readonly onPaste: (event: ClipboardEvent) => void;
  };
}

/** Handlers for dropped and pasted files, and whether files are dragged over the element. */
export function useFileDrop(panel: Panel): FileDrop {
  const [over, setOver] = useState(false);
  const onDragOver = (event: DragEvent): void => {
    if (event.dataTransfer === null || ![...addressTypes, 'Files'].some(type => event.dataTransfer?.types.includes(type))) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  const onDragLeave = (event: DragEvent): void => {
    if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) setOver(false);
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    const { files = [], addresses = [] } = event.dataTransfer === null ? {} : dropped(event.dataTransfer);
    if (files.length + addresses.length === 0) return;
    event.preventDefault();
    if (files.length > 0) void panel.composer.attachments.add(files);
    else void panel.ask('attachDropped', { uris: addresses });
  };
  const onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event;
    if (clipboardData === null || clipboardData.files.length === 0) return;
    // Office programs put a picture beside copied text: the text is pasted then.
    if (clipboardData.types.includes('text/html') && clipboardData.getData('text/plain') !== '') return;
    event.preventDefault();
    void panel.composer.attachments.add([...clipboardData.files]);
  };
  return { over, handlers: { onDragOver, onDragLeave, onDrop, onPaste } };
}

/** Files from the desktop have bytes; those from VS Code's views have only URIs, which the host reads. */
function dropped(data: DataTransfer): { readonly files: readonly File[]; readonly addresses: readonly string[] } {
  const lines = addressTypes.map(type => data.getData(type)).find(text => text !== '') ?? '';
  return {
    files: [...data.files],
    addresses: lines
      .split(/\r?\n/)
      .filter(line => line !== '' && !line.startsWith('#'))
      .slice(0, maxDropped),
  };
}
