import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import { checkRun } from './checkRun.ts';

// Started as a process of its own: checks the agent at an address, and prints what that took. Arguments: the address, and rules where not all.

const [url = '', rules = ''] = process.argv.slice(2);
const http = new Http({ loadObserver });
const { interfaces, results, exchanges } = await checkRun(url, http, {
  allowWork: true,
  ...(rules !== '' && { rules: new Set(rules.split(',') as RuleId[]) }),
});
await http.close();
// In KiB.
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({
    interfaces: interfaces.length,
    results: results.length,
    exchanges: exchanges.length,
    peak: maxRSS * 1024,
  } satisfies CheckedAlone),
);

export interface CheckedAlone {
  readonly interfaces: number;
  readonly results: number;
  readonly exchanges: number;
  /** The most memory of the process, in bytes. */
  readonly peak: number;
}
