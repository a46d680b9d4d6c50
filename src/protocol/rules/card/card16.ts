import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Rule } from '../rule/rule.ts';
import { maxItems, step } from '../rule/values.ts';

export const rule: Rule = {
  level: 'SHOULD NOT',
  title: 'The card has no credentials in it',
  section: '14.3',
  section0_3: '5.4',
  versions: ['1.0', '0.3'],
  passive: true,
  kit: [],
};

/** What only credentials look like. Public keys and examples of formats are none. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z\d]{36}/],
  ['a token of Slack', /\bxox[abprs]-\d{6,}-[\w-]{10,}/],
  ['a key of Google', /\bAIza[\w-]{35}\b/],
  ['a key of a model provider', /\bsk-(?:ant-|proj-)?[A-Za-z\d_-]{32,}/],
  ['a password in an address', /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]+:[^/\s@{}<]+@/i],
];
const maxDepth = 12;
/** Most of one text that is searched, in UTF-16 code units, and most values. */
const maxText = 10_000;
const maxValues = 5_000;

export const passive: PassiveCheck = {
  card({ card }, note) {
    let left = maxValues;
    const check = (value: unknown, pointer: string, depth: number): void => {
      if (left-- <= 0) return;
      if (typeof value === 'string') {
        const text = value.slice(0, maxText);
        const found = shapes.find(([, shape]) => shape.test(text));
        if (found !== undefined) note(pointer, sentence('This looks like {0}.', found[0]));
      } else if (depth < maxDepth && Array.isArray(value))
        value.slice(0, maxItems).forEach((item, index) => check(item, `${pointer}/${index}`, depth + 1));
      else if (depth < maxDepth && isObject(value))
        for (const [name, inner] of Object.entries(value)) {
          // A signature is over the card, and is no secret.
          if (name !== 'signatures') check(inner, pointer + step(name), depth + 1);
        }
    };
    check(card, '', 0);
  },
};
