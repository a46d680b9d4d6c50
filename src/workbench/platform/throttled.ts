/**
 * Calls `action` at once, and while calls keep coming at most once every `ms`; the last call is never lost. `dispose` drops what waits.
 */
export function throttled(ms: number, action: () => void): { (): void; dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const call = (): void => {
    if (timer !== undefined) {
      again = true;
      return;
    }
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) call();
    }, ms);
    action();
  };
  return Object.assign(call, { dispose: () => clearTimeout(timer) });
}
