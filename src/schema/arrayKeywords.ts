import { asNew, type At, into, isSchema, type Keyword, type Schema, type SchemaCheck } from './schemaCheck.ts';

/** The schemas of the first items. Draft-07 says with `items` what 2020-12 says with `prefixItems`. */
export function firstItems(check: SchemaCheck, { items, prefixItems }: Schema): readonly unknown[] {
  const first = Array.isArray(items) ? items : check.shared.isOld ? undefined : prefixItems;
  return Array.isArray(first) ? first : [];
}

function rest(check: SchemaCheck, keyword: string, wanted: unknown, value: readonly unknown[], from: number, at: At): void {
  for (let index = from; index < value.length; index++) {
    if (wanted === false) check.departs(at, keyword, false, value, { member: index });
    else check.inner(wanted, value[index], at, index);
    check.shared.step();
  }
}

function firsts(check: SchemaCheck, schemas: readonly unknown[], value: readonly unknown[], at: At): void {
  for (const [index, schema] of schemas.slice(0, value.length).entries()) check.inner(schema, value[index], at, index, index);
}

export const ofArrays = (
  keyword: string,
  takes: (wanted: unknown) => boolean,
  apply: (check: SchemaCheck, wanted: never, value: readonly unknown[], at: At) => void,
): readonly [string, Keyword] => [
  keyword,
  {
    takes,
    check: (check, wanted, value, at) => {
      if (Array.isArray(value)) apply(check, wanted, value, at);
    },
  },
];

export const arrayKeywords: readonly (readonly [string, Keyword])[] = [
  asNew(
    ofArrays('prefixItems', Array.isArray, (check, wanted: readonly unknown[], value, at) => {
      if (!Array.isArray(at.schema['items'])) firsts(check, wanted, value, at);
    }),
  ),
  ofArrays(
    'items',
    wanted => Array.isArray(wanted) || isSchema(wanted),
    (check, wanted: unknown, value, at) => {
      if (Array.isArray(wanted)) firsts(check, wanted, value, at);
      else rest(check, 'items', wanted, value, firstItems(check, at.schema).length, at);
    },
  ),
  ofArrays('additionalItems', isSchema, (check, wanted: unknown, value, at) => {
    const { items } = at.schema;
    if (Array.isArray(items)) rest(check, 'additionalItems', wanted, value, items.length, at);
  }),
  ofArrays(
    'uniqueItems',
    wanted => typeof wanted === 'boolean',
    (check, wanted: boolean, value, at) => {
      if (!wanted) return;
      const seen = new Set<string>();
      for (const [index, item] of value.entries()) {
        const key = check.key(item);
        if (seen.has(key)) check.departs(at, 'uniqueItems', wanted, value, { member: index });
        seen.add(key);
      }
    },
  ),
  ofArrays('contains', isSchema, (check, wanted: unknown, value, at) => {
    const { minContains, maxContains } = check.shared.isOld ? {} : at.schema;
    let [fitting, unclear] = [0, 0];
    for (const [index, item] of value.entries()) {
      const fits = check.fits(wanted, item, into(at, index));
      if (fits === true) fitting++;
      else if (fits === undefined) unclear++;
    }
    const [least, most] = [typeof minContains === 'number' ? minContains : 1, typeof maxContains === 'number' ? maxContains : Infinity];
    if (fitting + unclear < least) check.departs(at, 'contains', wanted, value, { fitting });
    else if (fitting > most) check.departs(at, 'maxContains', maxContains, value, { fitting });
    else if (fitting < least || fitting + unclear > most) check.isUnclear = true;
  }),
];
