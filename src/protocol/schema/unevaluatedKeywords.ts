import { ofArrays } from './arrayKeywords.ts';
import { Evaluated } from './evaluated.ts';
import { ofObjects, otherMembers } from './objectKeywords.ts';
import { asNew, isSchema, type Keyword, type Schema } from './schemaCheck.ts';

const without = (schema: Schema, keyword: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));

/** Members and items that no keyword of the schema, or of one that applies beside it, has looked at. Told of after all others. */
export const unevaluatedKeywords: readonly (readonly [string, Keyword])[] = [
  ofObjects('unevaluatedProperties', isSchema, (check, wanted: unknown, value, at) => {
    const evaluated = Evaluated.of(check, without(at.schema, 'unevaluatedProperties'), value, at);
    otherMembers(check, 'unevaluatedProperties', wanted, value, at, name => !evaluated.has(name));
  }),
  ofArrays('unevaluatedItems', isSchema, (check, wanted: unknown, value, at) => {
    const evaluated = Evaluated.of(check, without(at.schema, 'unevaluatedItems'), value, at);
    for (const [index, item] of value.entries()) {
      if (evaluated.has(index)) continue;
      if (wanted === false) check.departs(at, 'unevaluatedItems', false, value, { member: index });
      else check.inner(wanted, item, at, index);
    }
  }),
].map(asNew);
