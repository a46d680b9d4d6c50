import type { ParseError } from 'jsonc-parser';
import { boundedText, type TextBounds } from '../../protocol/boundedText.ts';
import { exactTree } from '../text/exactTree.ts';
import { maxDepth, memberOf, membersOf, nestingOf, type JsonNode } from '../text/jsonNode.ts';
import { requestFences } from '../text/markdownFences.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { isFileKey } from './keys.ts';

/** A part of a text that is JSON of its own: a whole `.a2a` file, or one fence of a Markdown document. */
export interface Section {
  readonly range: TextRange;
  /** Undefined where there is nothing, or it is nested too deeply. */
  readonly root?: JsonNode;
}

interface Sections {
  /** The text as it is read: what was left out of it is spaces. */
  readonly text: string;
  readonly sections: readonly Section[];
  readonly errors: readonly ParseError[];
  /** The sections that are nested too deeply. */
  readonly tooDeep: readonly TextRange[];
  /** Ranges that are not read, in text order. */
  readonly omitted: readonly TextRange[];
}

/** Reads the JSON of a text as far as it can be read. All offsets are those of the text. `bounds`: see `boundedText`, for each section; all together share twice as much. */
export function readSections(
  text: string,
  { markdown, bounds }: { readonly markdown: boolean; readonly bounds: TextBounds | undefined },
): Sections {
  const ranges = markdown ? requestFences(text) : [{ offset: 0, length: text.length }];
  const errors: ParseError[] = [];
  const tooDeep: TextRange[] = [];
  const omitted: TextRange[] = [];
  const pieces: string[] = [];
  let written = 0;
  let left = bounds && { ...bounds, items: bounds.items * 2, values: bounds.values * 2, characters: bounds.characters * 2 };
  const sections = ranges.map((range): Section => {
    const { offset } = range;
    const whole = markdown ? text.slice(offset, endOf(range)) : text;
    if (left !== undefined && Math.min(left.items, left.values, left.characters) <= 0) {
      // One range for all that is left out.
      const last = omitted.at(-1);
      if (last === undefined || endOf(last) < text.length) omitted.push({ offset, length: text.length - offset });
      return { range };
    }
    const read =
      bounds === undefined || left === undefined
        ? { text: whole, omitted: [] }
        : boundedText(whole, {
            items: Math.min(bounds.items, left.items),
            depth: bounds.depth,
            values: Math.min(bounds.values, left.values),
            characters: Math.min(bounds.characters, left.characters),
          });
    pieces.push(text.slice(written, offset), markdown ? read.text.padEnd(range.length) : read.text);
    written = endOf(range);
    for (const one of read.omitted) omitted.push({ offset: one.offset + offset, length: one.length });
    // Somebody is about to write it.
    if (markdown && whole.trim() === '') return { range };
    if (nestingOf(read.text) > maxDepth) {
      tooDeep.push(range);
      return { range };
    }
    const found: ParseError[] = [];
    const root = exactTree(read.text, found, { allowTrailingComma: true });
    for (const error of found) errors.push({ ...error, offset: error.offset + offset });
    if (root !== undefined && offset > 0) move(root, offset);
    if (left !== undefined)
      left = {
        ...left,
        items: left.items - Math.max(1, ...['requests', 'variables'].map(name => memberOf(root, name)?.value?.children?.length ?? 0)),
        values: left.values - valuesIn(root),
        characters: left.characters - whole.length,
      };
    return { range, root };
  });
  return { text: omitted.length === 0 ? text : pieces.join('') + text.slice(written), sections, errors, tooDeep, omitted };
}

/** How many values and member names there are. */
const valuesIn = (node: JsonNode | undefined): number =>
  node === undefined ? 0 : (node.children ?? []).reduce((sum, child) => sum + valuesIn(child), 1);

function move(node: JsonNode, by: number): void {
  (node as { offset: number }).offset += by;
  for (const child of node.children ?? []) move(child, by);
}

/** True for a fence that sends nothing and only sets what holds for those after it. */
export const isSettingsAlone = (root: JsonNode | undefined): boolean =>
  root !== undefined &&
  membersOf(root).length > 0 &&
  memberOf(root, 'requests') === undefined &&
  membersOf(root).every(({ name }) => isFileKey(name));

/** The section around an offset; its ends count, too. */
export const sectionAt = (sections: readonly Section[], at: number): Section | undefined =>
  sections.find(({ range }) => at >= range.offset && at <= endOf(range));
