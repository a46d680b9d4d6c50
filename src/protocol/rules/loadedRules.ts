import type { RuleId } from '../ruleId.ts';
import type { Rule } from './rule/rule.ts';

type RulesModule = typeof import('./passiveObserver.ts');

let loading: Promise<RulesModule> | undefined;
let loaded: RulesModule | undefined;

/**
 * Loads the rules and their passive checks, 120 KB: nothing is known of them before. Whoever connects to an agent
 * or shows findings does that; it costs nothing when it is done again.
 */
export const loadRules = (): Promise<RulesModule> => (loading ??= import('./passiveObserver.ts').then(module => (loaded = module)));

/** The rules, once they are loaded. */
export const loadedRules = (): RulesModule | undefined => loaded;

/** The rule with that id; undefined for one from another version of this product, and until the rules are loaded. */
export const ruleOf = (id: string): Rule | undefined => loaded?.ruleOf(id);

/** Rules whose deviations mean that a request cannot count as successful. */
const decisive: ReadonlySet<RuleId> = new Set<RuleId>(['RPC-08', 'HTTP-07', 'STRM-11']);

/** True where a deviation from the rule means that the request cannot count as successful: unless deviations are expected, it has failed. */
export const decides = (id: RuleId): boolean => decisive.has(id);
