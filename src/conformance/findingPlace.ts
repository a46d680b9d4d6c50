import type { Finding } from '../protocol/finding.ts';
import { familyOf } from './checkReport.ts';

/** Families of rules about what is inside of an envelope. */
const ofContent: ReadonlySet<string> = new Set(['DATA', 'CORE', 'CARD']);

/**
 * The pointer of a finding from the beginning of the body or of the event's data. The code that reads results counts from what is inside of
 * JSON-RPC's envelope (JSON-RPC 2.0 §5), the checks of rules count from the beginning; no result of A2A has a member of these names.
 */
export function wholePointer({ rule, pointer }: Pick<Finding, 'rule' | 'pointer'>, protocolBinding: string): string {
  const isInside = protocolBinding === 'JSONRPC' && ofContent.has(familyOf(rule)) && !/^\/(?:result|error)(?:\/|$)/.test(pointer);
  return isInside ? `/result${pointer}` : pointer;
}
