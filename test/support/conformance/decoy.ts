import type { BindingName } from '../../../src/mock/binding.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { OperationParams, UnaryOperation } from '../../../src/protocol/message/operations.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';

/** What is asked of a decoy, so that what comes breaks its rule. */
type Asked = 'card' | 'stream' | { readonly [O in UnaryOperation]: readonly [O, OperationParams[O]] }[UnaryOperation];

/** A scripted agent that breaks one rule and keeps all others. */
export interface Decoy {
  readonly rule: RuleId;
  /** What it does, in a few words. */
  readonly breaks: string;
  readonly versions: readonly string[];
  /** JSONRPC where undefined; a card is fetched once, whatever the binding is. */
  readonly bindings?: readonly BindingName[];
  readonly asked: Asked;
  readonly script?: (version: string, binding: BindingName) => Script;
  /** The card, made from one that is right. */
  readonly card?: (right: Record<string, unknown>, version: string) => unknown;
  /** How often the cause is told in the exchange; once where undefined. */
  readonly times?: number;
}
