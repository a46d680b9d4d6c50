/** Every change of one place of a JSON value: each member and item gone, each scalar another, each list the other way round. */
export function* changesOf(value: unknown, path = ''): Generator<readonly [where: string, changed: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield [`${path}/${index} removed`, value.toSpliced(index, 1)];
      for (const [where, changed] of changesOf(item, `${path}/${index}`)) yield [where, value.with(index, changed)];
    }
    if (value.length > 1) yield [`${path} reversed`, value.toReversed()];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield [`${path}/${name} removed`, rest];
      for (const [where, changed] of changesOf(member, `${path}/${name}`)) yield [where, { ...value, [name]: changed }];
    }
  } else if (typeof value === 'boolean') yield [path, !value];
  else if (typeof value === 'number') yield [path, value + 1];
  else yield [path, `${String(value)} `];
}
