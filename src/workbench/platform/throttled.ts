/**
 * Calls `action` at once, and then at most once every `ms` milliseconds while calls keep coming; the last call always takes effect.
 * `dispose` drops a pending call.
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
