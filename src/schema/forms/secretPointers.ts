import { branchesOf, resolved, type Schema, SchemaRoot } from './formSchema.ts';
import { isObject } from '../../protocol/json.ts';
import { eachItem } from '../../protocol/secrets/withoutSecrets.ts';

/** Most schemas that are looked at, those furthest out first, and how many are inside each other: an agent writes them. */
const maxSchemas = 2_000;
const deepest = 16;
/** Points at the whole value. */
const whole = '';

/**
 * Pointers into a value of the schema at what is not to be read over somebody's shoulder: passwords, and whatever is written and never read,
 * of any type. The step `-` stands for each item of a list.
 * Where the schema is too intricate to tell, the whole value is one of them.
 * @param root what references lead into.
 */
export function secretPointers(schema: Schema, root = new SchemaRoot(schema)): readonly string[] {
  const found = new Set<string>();
  const all: { readonly given: Schema; readonly at: string; readonly depth: number }[] = [{ given: schema, at: '', depth: 0 }];
  for (let next = 0; next < all.length; next++) {
    const { given, at, depth } = all[next]!;
    const own = resolved(given, root);
    if (root.isExhausted) return [whole];
    if (isSecret(own)) {
      found.add(at);
      continue;
    }
    if (depth === deepest) continue;
    const inside: readonly (readonly [pointer: string, schema: unknown])[] = [
      ...(isObject(own['properties'])
        ? Object.entries(own['properties']).map(
            ([name, member]) => [`${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member] as const,
          )
        : []),
      ...[own['items'], own['prefixItems']].flat().map(item => [`${at}/${eachItem}`, item] as const),
      ...['oneOf', 'anyOf'].flatMap(keyword => branchesOf(own[keyword]).map(branch => [at, branch] as const)),
    ];
    for (const [pointer, member] of inside)
      if (isObject(member) && all.length < maxSchemas) all.push({ given: member, at: pointer, depth: depth + 1 });
  }
  return [...found];
}

/** True if the schema itself describes a secret. */
export const isSecret = (schema: Schema): boolean => schema['format'] === 'password' || schema['writeOnly'] === true;
