import { parseJson } from '../../client/http/parseJson.ts';
import type { A2AError } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { answerView, requestView, withoutMark } from '../rules/rule/answerView.ts';
import type { ProbeAnswer } from '../rules/rule/probe.ts';

/** The JSON of a text, however long it is. @throws Problem `too-large` for more values than are read anywhere */
export const wholeJson = (text: string | undefined): unknown =>
  text === undefined || text === '' ? undefined : parseJson(withoutMark(text));

/** The answer of a finished exchange. */
export function answerOf(exchange: Exchange): ProbeAnswer {
  const asked = requestView(exchange);
  const view = asked === undefined ? undefined : answerView(exchange, asked, wholeJson(exchange.response?.body));
  if (view === undefined) throw new Error('an exchange without an answer');
  return { ...view, exchange };
}

/** An error that the client read, as probes see it. */
export const errorOf = ({ rpcCode: code, message, data }: A2AError): NonNullable<ProbeAnswer['error']> => ({
  code,
  value: { code, message, details: data },
  pointer: '',
});
