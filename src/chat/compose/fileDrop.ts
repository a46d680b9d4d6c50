import { useState } from 'preact/hooks';
import { maxDropped } from '../host/draft.ts';
import type { Panel } from '../panel/panel.ts';

/** What VS Code calls the addresses of what is dragged from its own views; a line each, `#` begins a comment. */
const addressTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

interface FileDrop {
  /** Something that can be attached is held over the element. */
  readonly over: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
    readonly onPaste: (event: ClipboardEvent) => void;
  };
}

/** Handlers that take files which are dropped or pasted, and whether some are held over the element. */
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
    // An office program puts a picture of the text beside it: then the text is meant.
    if (clipboardData.types.includes('text/html') && clipboardData.getData('text/plain') !== '') return;
    event.preventDefault();
    void panel.composer.attachments.add([...clipboardData.files]);
  };
  return { over, handlers: { onDragOver, onDragLeave, onDrop, onPaste } };
}

/** Files of the desktop have bytes; those of VS Code's views have addresses alone, which the host is asked about. */
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
