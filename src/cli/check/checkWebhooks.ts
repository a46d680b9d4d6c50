import type { OpenWebhook } from '../../conformance/checkWebhook.ts';
import { NotificationReceiver } from '../../receiver/notificationReceiver.ts';
import { printFault } from '../terminal/printProblem.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';

/** The receiver of push notifications for a check. It listens from the first webhook to `stop`. */
interface CheckWebhooks {
  readonly open: OpenWebhook;
  stop(): Promise<void>;
}

/** Listens at once on a port that was asked for, so that nothing is lost with it. Rejects with a UsageError for a `--port` or `--webhook` that is none. */
export async function checkWebhooks({ output, values }: Terminal): Promise<CheckWebhooks> {
  const { port = '0', webhook: address } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`--port must be a number from 0 to 65535, not ${port}.`);
  if (address !== undefined && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)))
    throw new UsageError(`--webhook must be an address that begins with http:// or https://, not ${JSON.stringify(address.slice(0, 60))}.`);
  if (address !== undefined && port === '0') throw new UsageError('--webhook needs --port N, too: the port that the address leads to.');
  // Each webhook of a check has its own deliveries.
  const receiver = new NotificationReceiver({
    onDelivery: () => {},
    onError: error => printFault(output, error),
  });
  let starting: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    try {
      await receiver.start(Number(port));
    } catch (error) {
      throw new UsageError(`Port ${port} cannot be listened on: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
    }
    output.printError(`Receiving push notifications on 127.0.0.1:${receiver.port} for rules that need that.`);
  };
  if (port !== '0') await (starting = start());
  return {
    open: async ({ isNear, protocolVersion, onNotification }) => {
      await (starting ??= start());
      const webhook = receiver.open({
        protocolVersion,
        token: null,
        takesAll: true,
        origin: isNear ? undefined : address,
        onDelivery: ({ at, headers, body, status }) => onNotification({ at, headers, body, status }),
      });
      return { url: webhook.url, close: async () => receiver.close(webhook) };
    },
    stop: () => receiver.stop(),
  };
}
