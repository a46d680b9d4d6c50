import { Recent } from './recent.ts';
import type { SampleAgent } from './serve.ts';
import type { Turn } from './turn.ts';

interface Phrase {
  readonly words: RegExp;
  readonly finnish: string;
  readonly spoken: string;
}

const phrases: readonly Phrase[] = [
  { words: /\bthank(s| you)\b/i, finnish: 'Kiitos', spoken: 'KEE-tos' },
  { words: /\b(hello|hi|good day)\b/i, finnish: 'Hyvää päivää', spoken: 'HÜ-vaa PAI-vaa' },
  { words: /\b(goodbye|bye)\b/i, finnish: 'Näkemiin', spoken: 'NA-ke-meen' },
  { words: /\bcoffee\b/i, finnish: 'Yksi kahvi, kiitos', spoken: 'ÜK-si KAH-vi KEE-tos' },
  { words: /\bsauna\b/i, finnish: 'Missä on sauna?', spoken: 'MIS-sa on SOW-na' },
];

/**
 * Knows a few phrases. Answers with messages alone and never makes a task (A2A 1.0 §3.1.2): what was said last is remembered by
 * `contextId`.
 */
export class Phrasebook implements SampleAgent {
  readonly introduction = {
    name: 'Phrasebook',
    description: 'Says a few phrases in Finnish and how they sound. It answers at once, with a message and no task.',
    outputModes: ['text/plain'],
    skills: [{
      id: 'phrase',
      name: 'Say it in Finnish',
      description: 'Hello, thank you, goodbye, and the way to coffee and sauna.',
      tags: ['language', 'message only'],
      examples: ['How do I say thank you?', 'And how does it sound?', 'Where is the sauna?'],
    }],
  };

  readonly #last = new Recent<Phrase>();

  readonly play = async (turn: Turn): Promise<void> => {
    if (/\b(sound|pronounce|spoken)/i.test(turn.text)) {
      const last = this.#last.get(turn.contextId);
      return turn.reply(last === undefined ? 'Ask me for a phrase first, for example "How do I say thank you?".' : `"${last.finnish}" sounds like ${last.spoken}.`);
    }
    const phrase = phrases.find(({ words }) => words.test(turn.text));
    if (phrase === undefined) return turn.reply('I know hello, thank you, goodbye, coffee and sauna.');
    this.#last.set(turn.contextId, phrase);
    turn.reply(phrase.finnish);
  };
}
