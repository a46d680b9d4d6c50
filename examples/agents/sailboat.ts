import { rawPart } from './parts.ts';
import { Recent } from './recent.ts';
import { drawSailboat } from './sailboatPicture.ts';
import { changesIn, colorsIn, describeStyle, plainStyle, type SailboatStyle } from './sailboatStyle.ts';
import type { SampleAgent } from './serve.ts';
import type { Turn } from './turn.ts';

interface Drawing {
  readonly taskId: string;
  readonly style: SailboatStyle;
}

const subject = /\b(sail|boat|ship|yacht|draw|paint|sketch|picture|image|generate|create|make|modify|change|add|turn|another|again|other)/i;
const asksForNew = /\b(draw|paint|sketch|generate|create|another|new)\b/i;

/**
 * Draws sailboats. Once a picture is there, asking for a change makes a new task with a new picture in the same
 * context (A2A 1.0 §3.4.3, follow-up by `referenceTaskIds`): a finished task never changes.
 */
export class Sailboat implements SampleAgent {
  readonly introduction = {
    name: 'Sailboat',
    description: 'Draws a sailboat as a PNG picture and redraws it as you like: in another colour, at sunset, at night.',
    outputModes: ['image/png', 'text/plain'],
    skills: [{
      id: 'draw',
      name: 'Draw a sailboat',
      description: 'Draws a picture of a sailboat and changes it when asked.',
      tags: ['image', 'drawing', 'artifact'],
      examples: ['Generate an image of a sailboat on the ocean.', 'Please modify the sailboat to be red.', 'Now at night.'],
    }],
  };

  readonly #drawings = new Recent<Drawing[]>();

  readonly play = async (turn: Turn): Promise<void> => {
    const drawings = this.#drawings.get(turn.contextId) ?? [];
    const request = turn.userTexts[0] ?? '';
    if (turn.task === undefined && !isAboutSailboats(request)) {
      return turn.reply('I draw sailboats. Ask me for "a sailboat on the ocean", then for changes: "make it red", "at night", "blue sails".');
    }
    const unknown = turn.message.referenceTaskIds.filter(id => !drawings.some(drawing => drawing.taskId === id));
    if (unknown.length > 0) return turn.reject(`I have drawn nothing in this conversation for the task ${unknown.join(', ')}.`);

    const choice = turn.task === undefined ? choose(turn, drawings) : answered(turn.text, drawings);
    if (choice === 'unclear') return turn.ask(`Which one do you mean? ${list(drawings)}`);
    await this.#draw(turn, { ...(choice?.style ?? plainStyle), ...changesIn(withoutReference(request, choice)) });
  };

  async #draw(turn: Turn, style: SailboatStyle): Promise<void> {
    await turn.work('Sketching the hull…', 200);
    await turn.work('Setting the sails…', 250);
    await turn.work(style.time === 'night' ? 'Hanging up the moon…' : 'Painting the sky and the sea…', 300);
    turn.artifact({
      name: 'sailboat_image.png',
      description: `A picture of ${describeStyle(style)}.`,
      parts: [rawPart(drawSailboat(style), 'image/png', 'sailboat_image.png')],
      metadata: { ...style },
    });
    this.#drawings.set(turn.contextId, [...(this.#drawings.get(turn.contextId) ?? []).slice(-99), { taskId: turn.taskId, style }]);
    turn.complete(`Here it is: ${describeStyle(style)}.`);
  }
}

function isAboutSailboats(text: string): boolean {
  return subject.test(text) || Object.keys(changesIn(text)).length > 0;
}

/** The drawing to start from; undefined for a fresh one, 'unclear' when only the user can tell. */
function choose(turn: Turn, drawings: readonly Drawing[]): Drawing | 'unclear' | undefined {
  const referred = drawings.filter(drawing => turn.message.referenceTaskIds.includes(drawing.taskId));
  if (/\bthe other (one|boat|sailboat|picture|image)\b/i.test(turn.text)) {
    const others = drawings.filter(drawing => !(referred.length > 0 ? referred : drawings.slice(-1)).includes(drawing));
    return others.length > 1 ? 'unclear' : others[0] ?? drawings[0];
  }
  return named(turn.text, referred) ?? named(turn.text, drawings) ?? (asksForNew.test(turn.text) ? undefined : referred.at(-1) ?? drawings.at(-1));
}

const reference = /\bthe (\w+) (?:one|boat|sailboat|picture|image)\b/i;

/** The newest drawing that the text names by its colour: "the red one". */
function named(text: string, drawings: readonly Drawing[]): Drawing | undefined {
  const [color] = colorsIn(text.match(reference)?.[0] ?? '');
  return color === undefined ? undefined : drawings.findLast(({ style }) => style.hull === color || style.sail === color);
}

/** The text without the colour that only says which drawing is meant. */
function withoutReference(text: string, drawing: Drawing | undefined): string {
  return drawing !== undefined && named(text, [drawing]) !== undefined ? text.replace(reference, 'it') : text;
}

function answered(text: string, drawings: readonly Drawing[]): Drawing | 'unclear' {
  const number = Number(text.match(/\b\d+\b/)?.[0]);
  const byNumber = drawings[number - 1];
  if (byNumber !== undefined) return byNumber;
  const [color] = colorsIn(text);
  const fits = drawings.filter(({ style }) => style.hull === color || style.sail === color);
  return fits.length === 1 && fits[0] !== undefined ? fits[0] : 'unclear';
}

function list(drawings: readonly Drawing[]): string {
  return drawings.map(({ style }, at) => `${at + 1}: ${describeStyle(style)}`).join('; ');
}
