import { readConversion } from './conversionRequest.ts';
import { convert, currencyCodes, ratesDate } from './exchangeRates.ts';
import { dataPart, textPart } from './parts.ts';
import type { SampleAgent } from './serve.ts';
import type { Turn } from './turn.ts';

/**
 * Converts money. Asks in the same task for what is missing (A2A 1.0 §3.4.2, multi-turn by `taskId`), and answers
 * what is no conversion with a message and no task.
 */
export class Currency implements SampleAgent {
  readonly introduction = {
    name: 'Currency',
    description: `Converts an amount of money and asks for what you left out. Sample rates dated ${ratesDate}, not market data.`,
    outputModes: ['text/plain', 'application/json'],
    skills: [{
      id: 'convert',
      name: 'Convert money',
      description: 'Converts an amount from one currency to another.',
      tags: ['money', 'multi-turn', 'input-required'],
      examples: ['How much is 10 USD?', 'Convert 10 USD to EUR', 'What is 250 SEK in dollars?'],
    }],
  };

  readonly play = async (turn: Turn): Promise<void> => {
    const { amount, from, to, unknown } = readConversion(turn.userTexts);
    if (amount === undefined) {
      return turn.reply(`I convert money, for example "Convert 10 USD to EUR". I know ${currencyCodes.join(', ')}, at sample rates dated ${ratesDate}.`);
    }
    if (unknown !== undefined) return turn.ask(`I do not know the currency "${unknown}". I know ${currencyCodes.join(', ')}.`);
    if (from === undefined) return turn.ask(`Which currency are the ${amount} in?`);
    if (to === undefined) return turn.ask(`To which currency should I convert ${amount} ${from}?`);

    await turn.work(`Looking up ${from} to ${to}…`, 150);
    const { rate, result } = convert({ amount, from, to });
    const sentence = `${amount} ${from} is ${result} ${to} (rate ${rate}, ${ratesDate}).`;
    turn.artifact({
      name: 'conversion',
      description: `${from} to ${to} at the sample rates of ${ratesDate}`,
      parts: [textPart(sentence), dataPart({ amount, from, to, rate, result })],
      metadata: { ratesDate },
    });
    turn.complete(sentence);
  };
}
