/** The row to which a key leads from the one at `index` (-1 for none), as in tables of browsers' tools; undefined for other keys. */
export function keyStep(
  { key }: Pick<KeyboardEvent, 'key'>,
  { index, length, page }: { readonly index: number; readonly length: number; readonly page: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index < 0 ? length - 1 : index - 1,
    PageDown: index + page,
    PageUp: index < 0 ? length - 1 : index - page,
    Home: 0,
    End: length - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined || length === 0 ? undefined : Math.min(length - 1, Math.max(0, next));
}
