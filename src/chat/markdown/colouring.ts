import { signal } from '@preact/signals';
import type { highlight } from './highlight.ts';

const colouring = signal<typeof highlight | undefined>(undefined);
let asked = false;

/**
 * What colours code. Its script is loaded with the first code that is on show; until then this is undefined, and whoever has read it is
 * drawn again when it is there.
 */
export function colouringOfCode(): typeof highlight | undefined {
  if (!asked) {
    asked = true;
    void import('./highlight.ts').then(
      // Colouring what is on show is a task of its own: reading the script was long enough for one.
      loaded => {
        setTimeout(() => {
          colouring.value = loaded.highlight;
        });
      },
      // Code without colours can be read; the next code on show asks once more.
      (error: unknown) => {
        asked = false;
        console.warn('The colours of code could not be loaded', error);
      },
    );
  }
  return colouring.value;
}
