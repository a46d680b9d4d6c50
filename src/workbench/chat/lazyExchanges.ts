import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';

export type ExchangeHandlers = Pick<
  RequestHandlers,
  'exchanges' | 'exchange' | 'wireEvents' | 'wireEvent' | 'copyExchange' | 'exportHar' | 'replay'
>;

/** Handlers of the panel's requests about what went over the wire; what they take is loaded with the first of these. */
export function lazyExchanges(context: AgentContext): ExchangeHandlers {
  let loading: Promise<ExchangeHandlers> | undefined;
  const handlers = (): Promise<ExchangeHandlers> =>
    (loading ??= import('./exchanges.ts').then(({ chatExchanges }) => chatExchanges(context)));
  return {
    exchanges: async params => (await handlers()).exchanges(params),
    exchange: async params => (await handlers()).exchange(params),
    wireEvents: async params => (await handlers()).wireEvents(params),
    wireEvent: async params => (await handlers()).wireEvent(params),
    copyExchange: async params => (await handlers()).copyExchange(params),
    replay: async params => (await handlers()).replay(params),
    exportHar: async params => (await handlers()).exportHar(params),
  };
}
