import { signal } from '@preact/signals';
import type { highlight } from './highlight.ts';

const highlighter = signal<typeof highlight | undefined>(undefined);
let asked = false;

/**
 * The highlighter. Its script is loaded when code is first shown; until then this is undefined, and components that read it render again
 * once it is loaded.
 */
export function loadedHighlighter(): typeof highlight | undefined {
  if (!asked) {
    asked = true;
    void import('./highlight.ts').then(
      // In a new task: parsing the script took long enough for one task.
      loaded => {
        setTimeout(() => {
          highlighter.value = loaded.highlight;
        });
      },
      // Code is readable without colors; the next code shown tries again.
      (error: unknown) => {
        asked = false;
        console.warn('The highlighter of code could not be loaded', error);
      },
    );
  }
  return highlighter.value;
}
