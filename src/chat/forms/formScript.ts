import { signal } from '@preact/signals';
import type { FormView } from './formView.tsx';

/** The loaded form script, or the error of loading it; neither while loading. */
interface FormScript {
  readonly View?: typeof FormView;
  readonly failure?: string;
}

const script = signal<FormScript>({});
let asked = false;

/** The form script, loaded on first use; components that read it render again when it is loaded. */
export function formScript(): FormScript {
  if (!asked) loadForms();
  return script.value;
}

/** Loads the form script; can be called again after a failure. */
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
