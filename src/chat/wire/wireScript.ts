import { signal } from '@preact/signals';
import type { WireView } from './wireView.tsx';

/** The loaded script of the table, or the error of loading it; neither while loading. */
interface WireScript {
  readonly View?: typeof WireView;
  readonly failure?: string;
}

const script = signal<WireScript>({});
let asked = false;

/** The script of the table, loaded on first use; components that read it render again when it is loaded. */
export function wireScript(): WireScript {
  if (!asked) loadWire();
  return script.value;
}

/** Loads the script; can be called again after a failure. */
export function loadWire(): void {
  asked = true;
  script.value = {};
  void import('./wireView.tsx').then(
    ({ WireView: View }) => {
      script.value = { View };
    },
    (error: unknown) => {
      script.value = { failure: error instanceof Error ? error.message : String(error) };
    },
  );
}
