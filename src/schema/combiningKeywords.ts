import { type At, deeper, type Departure, isSchema, type Keyword, type SchemaCheck } from './schemaCheck.ts';

const isText = (wanted: unknown): boolean => typeof wanted === 'string';
const isFilledList = (wanted: unknown): boolean => Array.isArray(wanted) && wanted.length > 0;

/** The branches of `anyOf`, or those of `oneOf`, of which no second one may fit. */
function alternatives(check: SchemaCheck, keyword: 'anyOf' | 'oneOf', branches: readonly unknown[], value: unknown, at: At): void {
  const broken: (readonly Departure[])[] = [];
  let [fitting, unclear] = [0, 0];
  for (const [index, branch] of branches.entries()) {
    const { found, isUnclear } = check.tried(branch, value, deeper(at, index));
    if (found.length > 0) broken.push(found);
    else if (isUnclear) unclear++;
    else fitting++;
    if (fitting > 0 && keyword === 'anyOf') return;
  }
  if (fitting > 1) check.departs(at, keyword, branches, value, { fitting });
  else if (unclear > 0) check.isUnclear = true;
  else if (fitting === 0)
    check.departs(at, keyword, branches, value, {
      branches: broken,
      tellsKind: broken.every(found => found.some(({ tellsKind }) => tellsKind)),
    });
}

export const combiningKeywords: readonly (readonly [string, Keyword])[] = [
  [
    '$ref',
    {
      takes: isText,
      check: (check, reference: string, value, at) => {
        check.shared.step(reference.length >> 6);
        const target = check.shared.references.target(reference);
        if (target === undefined) check.unclear({ kind: 'reference', reference });
        else check.also(target, value, at);
      },
    },
  ],
  [
    '$dynamicRef',
    { takes: isText, isNew: true, check: (check, reference: string) => check.unclear({ kind: 'dynamic-reference', reference }) },
  ],
  [
    'allOf',
    {
      takes: isFilledList,
      check: (check, all: readonly unknown[], value, at) => all.forEach((schema, index) => check.also(schema, value, at, index)),
    },
  ],
  ...(['anyOf', 'oneOf'] as const).map((keyword): readonly [string, Keyword] => [
    keyword,
    {
      takes: isFilledList,
      check: (check, branches: readonly unknown[], value, at) => alternatives(check, keyword, branches, value, at),
    },
  ]),
  [
    'not',
    {
      takes: isSchema,
      check: (check, unwanted: unknown, value, at) => {
        const fits = check.fits(unwanted, value, deeper(at));
        if (fits === true) check.departs(at, 'not', unwanted, value);
        else if (fits === undefined) check.isUnclear = true;
      },
    },
  ],
  [
    'if',
    {
      takes: isSchema,
      check: (check, condition: unknown, value, at) => {
        const fits = check.fits(condition, value, deeper(at));
        if (fits === undefined) {
          check.isUnclear = true;
          return;
        }
        const branch = fits ? 'then' : 'else';
        const { up } = at.schemaPath!;
        if (at.schema[branch] !== undefined) check.also(at.schema[branch], value, { ...at, schemaPath: { up, step: branch } });
      },
    },
  ],
];
