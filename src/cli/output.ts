import type { WireLog } from '../client/wireLog.ts';
import type { Exchange } from '../protocol/exchange.ts';

/** Agents' words must not steer the terminal: control characters but tab and line feed are left out, in JSON escaped. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n]/gu, '');
export const json = (value: unknown): string => JSON.stringify(value)
  .replaceAll(/[\u007f-\u009f]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`);

export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

export function tell(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Prints answers as they were on the wire: bodies when they are complete, the data of events as they come. */
export const wire: WireLog = {
  exchange({ endedAt, response }: Exchange) {
    if (endedAt !== undefined && response?.body !== undefined) process.stdout.write(`${response.body}\n`);
  },
  frames(_exchangeId, frames) {
    for (const { data } of frames) process.stdout.write(`${data}\n`);
  },
};
