import type { ErrorNames } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { Envelope } from '../transport/envelope.ts';
import { httpJsonErrorIn } from './error.ts';

/**
 * HTTP+JSON has no envelope: answers and events are the results themselves (A2A 1.0 §11.2, §11.7). A JSON-RPC response in their place is
 * accepted with a finding.
 * @param errorNames meaning of error codes in the protocol version in use
 */
export const httpJsonEnvelope = (errorNames: ErrorNames): Envelope => ({
  rules: { mediaType: 'HTTP-02', form: 'HTTP-06' },
  open(answer, status, note) {
    const error = httpJsonErrorIn(answer, status, errorNames);
    if (error !== undefined) throw error;
    if (!isObject(answer) || !('jsonrpc' in answer) || !('result' in answer)) return answer;
    note('HTTP-06', '', 'The answer should stand for itself, not inside a JSON-RPC response.');
    return answer['result'];
  },
  holdsResult: () => false,
});
