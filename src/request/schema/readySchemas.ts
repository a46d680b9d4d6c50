import { checkedSchema } from './checkedSchema.ts';
import { defaultsSchema } from './defaultsSchema.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { matcherSchema } from './matcherSchema.ts';
import { requestFileSchema } from './requestFileSchema.ts';
import { resultSchema } from './resultSchema.ts';

/**
 * The schemas that windows need, by the name of the file in `dist/schemas`. They are read from there instead of being made from the types, so that neither
 * the making nor texts that are not shown are part of what every window compiles. Which module's function gives which file is `readySchemas` of
 * `esbuild.mjs`.
 */
export const readySchemas = (): Readonly<Record<string, JsonSchema>> => ({
  'checked.json': checkedSchema(requestFileSchema()),
  'checked-defaults.json': checkedSchema(defaultsSchema()),
  'checked-matchers.json': checkedSchema(matcherSchema()),
  // Its descriptions are shown beside what completion offers.
  'results.json': resultSchema(),
});
