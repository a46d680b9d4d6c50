import { isObject } from '../json.ts';

/** The card inside a JSON-RPC response; any other value unchanged. */
export const unwrappedCard = (value: unknown): unknown =>
  isObject(value) && isObject(value['result']) && 'jsonrpc' in value ? value['result'] : value;
