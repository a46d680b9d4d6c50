import { cardChecks } from '../protocol/card/checks/cardChecks.ts';
import type { CardEdit, CardFault, CheckedCard } from '../protocol/card/checks/cardFault.ts';
import { shape } from '../protocol/card/checks/shape.ts';
import { isObject } from '../protocol/json.ts';
import { sentence } from '../protocol/problem.ts';
import { deepNesting, maxDepth, memberOf, nestingOf, nodeAt, rangeOf, valueOf } from '../request/text/jsonNode.ts';
import type { CardProblem, TextEdit } from './cardProblem.ts';
import { readCardText, type CardText } from './cardText.ts';
import { renameMember, replaceWith, setAt } from './edits.ts';

/** Maximum number of problems reported per card. */
const most = 200;
/** Maximum number of "not checked from here on" problems. */
const maxOmitted = 20;

/**
 * Problems of a card's text that its JSON schema cannot find, in the order of the text. Never throws: incomplete text is checked as far as
 * it can be parsed.
 */
export function cardProblems(text: string): readonly CardProblem[] {
  if (nestingOf(text) > maxDepth)
    return [{ code: 'too-deep', range: { offset: 0, length: 1 }, severity: 'error', sentence: deepNesting, fixes: [] }];
  const card = readCardText(text);
  return card === undefined ? [] : problemsOf(card);
}

/** Like `cardProblems`, for a card that is already parsed. */
export function problemsOf(text: CardText): readonly CardProblem[] {
  const problems: CardProblem[] = [...notChecked(text)];
  const checked: CheckedCard = { card: valueOf(text.root) as CheckedCard['card'], form: text.form };
  for (const check of cardChecks) {
    for (const fault of check(checked)) {
      problems.push(problemOf(text, fault));
      if (problems.length >= most) return inOrder(problems);
    }
  }
  return inOrder(problems);
}

/** Fixes for missing members and wrong types, where the schema's problems are. */
export function shapeFixes(text: CardText): readonly CardProblem[] {
  const checked: CheckedCard = { card: valueOf(text.root) as CheckedCard['card'], form: text.form };
  return [...shape(checked)].slice(0, most).map(fault => {
    const problem = problemOf(text, fault);
    const node = nodeAt(text.root, fault.path);
    // A missing member is reported at the brace of its object.
    return node?.type === 'object' ? { ...problem, range: { offset: node.offset, length: 1 } } : problem;
  });
}

/** The fault at its place in the text. */
function problemOf(text: CardText, { code, severity, sentence: what, path, isName, ...fault }: CardFault): CardProblem {
  const member = isName === true ? memberOf(nodeAt(text.root, path.slice(0, -1)), String(path.at(-1))) : undefined;
  return {
    code,
    range: member?.nameRange ?? rangeOf(nodeAt(text.root, path) ?? text.root),
    severity,
    sentence: what,
    get fixes() {
      return fault.fixes.map(({ title, edits }) => ({ title, edits: edits.flatMap(edit => editsOf(text, edit)) }));
    },
  };
}

function editsOf(text: CardText, edit: CardEdit): readonly TextEdit[] {
  const { path } = edit;
  const holder = nodeAt(text.root, path.slice(0, -1));
  if ('name' in edit) {
    const member = memberOf(holder, String(path.at(-1)));
    return member === undefined ? [] : renameMember(member, edit.name);
  }
  const node = nodeAt(text.root, path);
  const isText = node !== undefined && node !== holder && !isObject(edit.value) && !Array.isArray(edit.value) && edit.value !== undefined;
  return isText ? replaceWith(node, edit.value) : setAt(text, [...path], edit.value);
}

/** One problem at the start of each range that was not parsed. */
function* notChecked({ omitted }: CardText): Iterable<CardProblem> {
  for (const { offset } of omitted.slice(0, maxOmitted)) {
    yield {
      code: 'not-checked',
      range: { offset, length: 1 },
      severity: 'information',
      fixes: [],
      sentence: sentence('This card is too large to be read whole: what follows here is neither checked nor shown in the preview.'),
    };
  }
}

const inOrder = (problems: readonly CardProblem[]): CardProblem[] =>
  problems.toSorted((one, other) => one.range.offset - other.range.offset);
