import { signal } from '@preact/signals';

/** A script that is loaded when it is first used: its module, or why it could not be loaded; neither while loading. */
export class LoadedScript<Module> {
  readonly #state = signal<{ readonly module?: Module; readonly failure?: string }>({});
  readonly #load: () => Promise<Module>;
  #asked = false;

  constructor(load: () => Promise<Module>) {
    this.#load = load;
  }

  /** Components that read it render again once it is loaded. */
  get state(): { readonly module?: Module; readonly failure?: string } {
    if (!this.#asked) this.load();
    return this.#state.value;
  }

  /** Can be called again after a failure. */
  load(): void {
    this.#asked = true;
    this.#state.value = {};
    void this.#load().then(
      module => {
        this.#state.value = { module };
      },
      (error: unknown) => {
        this.#state.value = { failure: error instanceof Error ? error.message : String(error) };
      },
    );
  }
}
