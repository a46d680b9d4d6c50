import { ofArrays } from './arrayKeywords.ts';
import { Evaluated } from './evaluated.ts';
import { ofObjects, otherMembers } from './objectKeywords.ts';
import { asNew, isSchema, type Keyword, type Schema } from './schemaCheck.ts';

/** The schema without one keyword. Made once, since a schema may be large and apply to many values. */
function withoutKeyword(keyword: string): (schema: Schema) => Schema {
  const made = new WeakMap<Schema, Schema>();
  return schema => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    const { [keyword]: _, ...others } = schema;
    made.set(schema, others);
    return others;
  };
}

const withoutProperties = withoutKeyword('unevaluatedProperties');
const withoutItems = withoutKeyword('unevaluatedItems');

/** Members and items that no keyword of the schema, or of one that applies beside it, has looked at. Reported after all others. */
export const unevaluatedKeywords: readonly (readonly [string, Keyword])[] = [
  ofObjects('unevaluatedProperties', isSchema, (check, wanted: unknown, value, at) => {
    const evaluated = Evaluated.of(check, withoutProperties(at.schema), value, at);
    otherMembers(check, 'unevaluatedProperties', wanted, value, at, name => !evaluated.has(name));
  }),
  ofArrays('unevaluatedItems', isSchema, (check, wanted: unknown, value, at) => {
    const evaluated = Evaluated.of(check, withoutItems(at.schema), value, at);
    for (const [index, item] of value.entries()) {
      if (evaluated.has(index)) continue;
      if (wanted === false) check.departs(at, 'unevaluatedItems', false, value, { member: index });
      else check.inner(wanted, item, at, index);
    }
  }),
].map(asNew);
