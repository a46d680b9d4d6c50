import { stringsIn, type JsonNode } from '../text/jsonNode.ts';
import { sourceRanges } from '../text/sourceString.ts';
import { readTemplate, type Expression } from './template.ts';
import { endOf, type TextRange } from '../text/textRange.ts';

/** One `{{…}}` of the text. */
export interface TemplateUse {
  readonly expression: Expression;
  readonly range: TextRange;
  /** Nested in another one, so that the range has no braces. */
  readonly inner?: true;
  /** Something else is taken where it has no value. */
  readonly optional?: true;
}

/** Strings under a node that contain `{{`. The text is searched first, since most nodes have none. */
export function templatedStrings(text: string, node: JsonNode): JsonNode[] {
  if (node.type === 'string') return String(node.value).includes('{{') ? [node] : [];
  if (!text.slice(node.offset, endOf(node)).includes('{{')) return [];
  return stringsIn(node).filter(({ value }) => String(value).includes('{{'));
}

function innerUses(
  expression: Expression,
  rangeIn: (range: TextRange) => TextRange,
  within: { readonly optional?: true } = {},
): TemplateUse[] {
  const nested = expression.kind === 'either' ? expression.values : expression.kind === 'function' && expression.of ? [expression.of] : [];
  return nested.flatMap((one, index): TemplateUse[] => {
    const around: { readonly optional?: true } = expression.kind === 'either' && index < nested.length - 1 ? { optional: true } : within;
    return one.expression.kind === 'literal'
      ? []
      : [{ expression: one.expression, range: rangeIn(one.range), inner: true, ...around }, ...innerUses(one.expression, rangeIn, around)];
  });
}

/** Every `{{…}}` in the strings under a node, each followed by the expressions within it, in text order. */
export function templatesIn(text: string, node: JsonNode): TemplateUse[] {
  return templatedStrings(text, node).flatMap(string => {
    const rangeIn = sourceRanges(text, string);
    return readTemplate(String(string.value)).flatMap(segment =>
      segment.kind === 'text'
        ? []
        : [{ expression: segment.expression, range: rangeIn(segment.range) }, ...innerUses(segment.expression, rangeIn)],
    );
  });
}

/** A variable of the file. */
export interface Variable {
  readonly name: string;
  readonly nameRange: TextRange;
  readonly node: JsonNode;
  readonly templates: readonly TemplateUse[];
}
