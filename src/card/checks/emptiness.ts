import { sentence } from '../../protocol/problem.ts';
import { memberOf, rangeOf, type JsonNode } from '../../request/text/jsonNode.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import type { CardText } from '../cardText.ts';

/** Lists of which the official texts disagree whether they may be empty: section 5.7 says no, the sample in section 8.4.1 has an empty one. */
const disputed = new Set(['skills', 'tags']);

/** Required texts and lists are not empty (A2A 1.0 §4.4.1, §5.7). An empty list of interfaces is a fault that the schema finds. */
export const emptyMembers: CardCheck = function* (card) {
  for (const name of ['defaultInputModes', 'defaultOutputModes', 'skills']) yield* emptyList(card, card.root, name);
  yield* emptyTexts(card.root);
  for (const skill of memberOf(card.root, 'skills')?.value?.children ?? []) {
    yield* emptyList(card, skill, 'tags');
    yield* emptyTexts(skill);
  }
};

function* emptyList({ form }: CardText, holder: JsonNode, name: string): Iterable<CardProblem> {
  const list = memberOf(holder, name)?.value;
  if (list?.type !== 'array' || (list.children?.length ?? 0) > 0) return;
  const isFault = form === '1.0' && !disputed.has(name);
  yield {
    code: 'empty-list',
    range: rangeOf(list),
    severity: isFault ? 'warning' : 'information',
    sentence:
      form === '0.3' || isFault
        ? sentence('The required list {0} is empty.', name)
        : sentence(
            'The required list {0} is empty. This is disputed: section 5.7 of A2A 1.0 wants an element in it, the sample in section 8.4.1 has none.',
            name,
          ),
    fixes: [],
  };
}

function* emptyTexts(holder: JsonNode): Iterable<CardProblem> {
  for (const name of ['name', 'description']) {
    const text = memberOf(holder, name)?.value;
    if (text?.type !== 'string' || String(text.value).trim() !== '') continue;
    yield {
      code: 'empty-text',
      range: rangeOf(text),
      severity: name === 'name' ? 'warning' : 'information',
      sentence:
        name === 'name'
          ? sentence('The required text {0} is empty.', name)
          : sentence(
              'The required text {0} is empty. This is disputed: A2A 1.0 requires it, and section 8.4.1 shows it empty. People and models choose by it.',
              name,
            ),
      fixes: [],
    };
  }
}
