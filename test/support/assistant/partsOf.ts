/** The untrusted blocks of a result, and the rest. */
export function partsOf(result: string): { readonly own: string; readonly untrusted: string } {
  const [, boundary = ''] = /^BEGIN (.+)$/m.exec(result) ?? [];
  const blocks =
    boundary === ''
      ? []
      : result
          .split(`BEGIN ${boundary}\n`)
          .slice(1)
          .map(each => each.split(`\nEND ${boundary}`)[0]!);
  return { own: blocks.reduce((rest, block) => rest.replace(block, () => ''), result), untrusted: blocks.join('\n') };
}
