import { type Inputs, useEffect, useState } from 'preact/hooks';

/** Value that `load` resolves to, loaded again when an input changes. Undefined until then, and where `load` returns nothing. */
export function useLoaded<Value>(load: () => Promise<Value | null | undefined> | undefined, inputs: Inputs): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    let isCurrent = true;
    setValue(undefined);
    void load()?.then(loaded => {
      if (isCurrent) setValue(() => loaded ?? undefined);
    });
    return () => {
      isCurrent = false;
    };
  }, inputs);
  return value;
}
