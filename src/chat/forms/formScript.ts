import { signal } from '@preact/signals';
import type { FormView } from './formView.tsx';

/** What draws forms, or why it could not be loaded; neither while it is being loaded. */
interface FormScript {
  readonly View?: typeof FormView;
  readonly failure?: string;
}

const script = signal<FormScript>({});
let asked = false;

/** What draws forms. It is loaded with the first form; whoever has read this is drawn again when it is there. */
export function formScript(): FormScript {
  if (!asked) loadForms();
  return script.value;
}

/** Loads what draws forms, also once more after a failure. */
export function loadForms(): void {
  asked = true;
  script.value = {};
  void import('./formView.tsx').then(
    ({ FormView }) => {
      script.value = { View: FormView };
    },
    (error: unknown) => {
      script.value = { failure: error instanceof Error ? error.message : String(error) };
    },
  );
}
