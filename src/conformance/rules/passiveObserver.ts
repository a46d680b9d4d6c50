import type { ExchangeObserver, Found, ObserveExchange } from '../../client/wireLog/exchangeObserver.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import { findingOf, type Finding } from '../../protocol/finding.ts';
import { cardInCamelCase } from '../../protocol/card/checks/memberNames.ts';
import { unwrappedCard } from '../../protocol/card/unwrappedCard.ts';
import { isObject } from '../../protocol/json.ts';
import { isShallow } from '../../protocol/json/depth.ts';
import { inCamelCase, protoNames } from '../../protocol/protoNames.ts';
import { ruleIds, type RuleId } from '../../protocol/ruleId.ts';
import { detectCard } from '../../protocol/versions/detectCard.ts';
import { rules } from './index.ts';
import { answerView, checkedJson, headerMap, isRuleVersion, maxChecked, openedEvent, requestView } from './rule/answerView.ts';
import { bytePlace, jsonPlace } from './rule/jsonPlace.ts';
import type { AnswerView, CardView, EventView, PassiveCheck, PassiveNote, RequestView } from './rule/passiveCheck.ts';
import { holdsFor } from './rule/rule.ts';
import { reportedState } from './rule/reportedState.ts';

const cardOperations = new Set(['AgentCard', 'GetExtendedAgentCard']);

type Kind = keyof PassiveCheck;
type Checks = { readonly [K in Kind]: readonly (readonly [RuleId, NonNullable<PassiveCheck[K]>])[] };

const tables = new Map<string, Checks>();

/** The checks that hold for a version over a binding, by what they look at. */
function checksFor(version: string, binding: string | undefined): Checks {
  const key = `${version} ${binding ?? ''}`;
  const known = tables.get(key);
  if (known !== undefined) return known;
  const holding = ruleIds.filter(id => holdsFor(rules[id], version, binding));
  const of = <K extends Kind>(kind: K): Checks[K] =>
    holding.flatMap(id => {
      const check = rules[id].passive?.[kind];
      return check === undefined ? [] : [[id, check] as const];
    }) as unknown as Checks[K];
  const checks = { card: of('card'), answer: of('answer'), event: of('event') };
  tables.set(key, checks);
  return checks;
}

/** Where a finding is: the text that its pointer goes into, and the event that the text is the data of. */
interface Place {
  readonly text: string | undefined;
  readonly frame?: number;
}

function run<View>(
  checks: readonly (readonly [RuleId, (view: View, note: PassiveNote) => void])[],
  view: View,
  { text, frame }: Place,
  found: Found,
): void {
  const known = new Set<string>();
  for (const [rule, check] of checks) {
    check(view, (pointer, what, more) => {
      const cause = `${rule} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`;
      // The first finding of a cause is kept and the others are counted: a search through the text for each of thousands takes a second.
      const place = known.has(cause) || text === undefined || text.length > maxChecked ? undefined : jsonPlace(text, pointer);
      known.add(cause);
      found(
        findingOf(rule, pointer, what, {
          ...(frame !== undefined && { frame }),
          ...(place !== undefined && { bytes: bytePlace(text!, place) }),
          ...(more?.disputed === true && { disputed: true }),
        }),
        cause,
      );
    });
  }
}

/** Checks a card as it came. @param text that it was parsed from */
export function checkCard(view: CardView, text: string | undefined, found: Found): void {
  run(checksFor(view.version, undefined).card, view, { text }, found);
}

/** The view of a card; undefined for what is none, or is one of a version that no rule is about. */
function cardView(json: unknown, url: string, headers: CardView['headers']): CardView | undefined {
  if (!isObject(json)) return undefined;
  const shape = detectCard(json, url)?.shape;
  return shape === undefined || !isRuleVersion(shape)
    ? undefined
    : { kind: 'card', version: shape, card: cardInCamelCase(json), url, headers };
}

/** Findings in the text of a card, one for each place, without those on which the official texts disagree. @param url that it came from */
export function cardFindings(text: string, url: string): readonly Finding[] {
  const json = unwrappedCard(checkedJson(text));
  const view = isShallow(json) ? cardView(json, url, undefined) : undefined;
  const findings: Finding[] = [];
  if (view !== undefined) checkCard(view, undefined, finding => void (finding.disputed !== true && findings.push(finding)));
  return findings;
}

/** Checks an answer that is not a stream, with all of it there. */
export function checkAnswer(view: AnswerView, text: string | undefined, found: Found): void {
  run(checksFor(view.version, view.binding).answer, view, { text }, found);
}

export function checkEvent(view: EventView, text: string | undefined, found: Found): void {
  run(checksFor(view.version, view.binding).event, view, { text, frame: view.seq }, found);
}

/** Applies the passive checks to one exchange: to each event as it is read, and to a body at the end. */
export class PassiveObserver implements ExchangeObserver {
  readonly #found: Found;
  readonly #begun: Exchange;
  readonly #checks: Checks | undefined;
  #asked: RequestView | undefined;
  #state: string | undefined;

  constructor(exchange: Exchange, found: Found) {
    this.#found = found;
    this.#begun = exchange;
    const { operation, protocolVersion, protocolBinding } = exchange;
    const isChecked = isRuleVersion(protocolVersion) && !cardOperations.has(operation);
    this.#checks = isChecked ? checksFor(protocolVersion, protocolBinding) : undefined;
  }

  /** Checks an event. @param written the result inside its envelope */
  event(frame: Frame, written: unknown): void {
    if (this.#checks === undefined || this.#checks.event.length === 0 || frame.data.length > maxChecked || !isShallow(written)) return;
    const asked = this.#request();
    if (asked === undefined) return;
    const result = inCamelCase(written, protoNames);
    const { pointer } = openedEvent(undefined, asked.binding);
    const view = { ...asked, kind: 'event', seq: frame.seq, result, pointer, state: this.#state } as const;
    checkEvent(view, frame.data, this.#found);
    this.#state = reportedState(result) ?? this.#state;
  }

  /** The request, parsed when a check needs it: its body may be long. */
  #request(): RequestView | undefined {
    if (this.#checks !== undefined) this.#asked ??= requestView(this.#begun);
    return this.#asked;
  }

  /** Checks the body. @param exchange with all that came */
  end(exchange: Exchange): void {
    const { response, operation, protocolBinding, request } = exchange;
    if (response?.body === undefined || response.truncated === true) return;
    const json = checkedJson(response.body);
    if (!isShallow(json)) return;
    const asked = this.#request();
    if (asked !== undefined) {
      const view = answerView(exchange, asked, json);
      if (view !== undefined) checkAnswer({ ...view, result: inCamelCase(view.result, protoNames) }, response.body, this.#found);
      return;
    }
    if (!cardOperations.has(operation) || response.status !== 200) return;
    const inner = protocolBinding === 'JSONRPC' && isObject(json) ? json['result'] : json;
    const view = cardView(inner, request.url, headerMap(response.headers));
    if (view !== undefined) checkCard(view, inner === json ? response.body : undefined, this.#found);
  }
}

export const observeExchange: ObserveExchange = (exchange, found) => new PassiveObserver(exchange, found);

export { ruleOf } from './index.ts';
