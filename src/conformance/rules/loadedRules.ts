import type { ObserveExchange } from '../../client/wireLog/exchangeObserver.ts';
import type { Rule } from './rule/rule.ts';

type RulesModule = typeof import('./passiveObserver.ts');

let loading: Promise<RulesModule> | undefined;
let loaded: RulesModule | undefined;

/**
 * Loads the rules and their passive checks, 120 KB, for what connects to an agent or shows findings: no rule is there before. A second call
 * costs nothing.
 */
export const loadRules = (): Promise<RulesModule> => (loading ??= import('./passiveObserver.ts').then(module => (loaded = module)));

/** Loads what checks each exchange on what comes anyway (`HttpOptions.loadObserver`). */
export const loadObserver = async (): Promise<ObserveExchange> => (await loadRules()).observeExchange;

/** The rule with that id; undefined for one from another version of this product, and until the rules are loaded. */
export const ruleOf = (id: string): Rule | undefined => loaded?.ruleOf(id);
