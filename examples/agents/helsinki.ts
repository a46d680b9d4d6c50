import { dataPart, textPart } from './parts.ts';
import { Recent } from './recent.ts';
import type { SampleAgent } from './serve.ts';
import { prerequisite, Trip, type Booking, type BookingKind } from './trip.ts';
import type { Turn } from './turn.ts';

/** A booking rests on what comes later in this list, so the first word found says what is wanted: "a spa at my hotel". */
const wishes: readonly (readonly [RegExp, BookingKind])[] = [
  [/\b(spa|sauna|massage)\b/i, 'spa'],
  [/\blounge\b/i, 'lounge'],
  [/\b(snowmobiles?|snow scooters?)\b/i, 'snowmobile'],
  [/\b(hotel|room|stay)\b/i, 'hotel'],
  [/\b(flight|fly|plane)\b/i, 'flight'],
];

const departures: Readonly<Record<string, { from: string; departs: string; arrives: string }>> = {
  copenhagen: { from: 'CPH', departs: '09:40', arrives: '12:20' },
  berlin: { from: 'BER', departs: '10:25', arrives: '13:30' },
  london: { from: 'LHR', departs: '10:10', arrives: '15:00' },
  paris: { from: 'CDG', departs: '09:55', arrives: '13:55' },
};

/** The steps of each booking and how long each of them takes, in milliseconds. */
const steps: Readonly<Record<BookingKind, readonly [ms: number, texts: readonly string[]]>> = {
  flight: [300, ['Searching flights to Helsinki…', 'Choosing a window seat…', 'Booking the flight…']],
  hotel: [400, ['Looking for rooms near the harbour…', 'Comparing four hotels…', 'Asking for a room with a sea view…', 'Booking the room…']],
  snowmobile: [450, ['Checking the snow…', 'Asking which guides are free…', 'Choosing helmets and overalls…', 'Reserving a snowmobile…', 'Arranging the transfer…']],
  lounge: [250, ['Showing your permission to the airline…', 'Reserving a chair in the lounge…']],
  spa: [350, ['Asking the spa for a time…', 'Warming the sauna…', 'Reserving the treatment…']],
};

/** How long it takes until the airline says that the user allows it. */
const permissionMs = 4000;

/**
 * Arranges a trip as several tasks of one context. Tasks that rest on the same one run in parallel; each refers to
 * what it rests on by `referenceTaskIds` (A2A 1.0 §3.4.3) or, without, takes the newest one of the conversation.
 */
export class Helsinki implements SampleAgent {
  readonly introduction = {
    name: 'Helsinki',
    description: 'A travel agent for Helsinki: a flight, then a hotel and a snowmobile at the same time, then a spa at the hotel.',
    outputModes: ['application/json', 'text/plain'],
    skills: [{
      id: 'travel',
      name: 'Arrange a trip to Helsinki',
      description: 'Books a flight, a hotel, a snowmobile tour, a spa treatment and the lounge of the airline, one task each.',
      tags: ['travel', 'parallel tasks', 'references'],
      examples: ['Book a flight to Helsinki', 'Book a hotel', 'Book a snowmobile', 'Add a spa reservation to my hotel', 'Book the airport lounge'],
    }],
  };

  readonly #trips = new Recent<Trip>();
  #count = 0;

  readonly play = async (turn: Turn): Promise<void> => {
    const request = turn.userTexts[0] ?? '';
    const wish = wishes.find(([words]) => words.test(request))?.[1];
    if (wish === undefined) return turn.reply('I arrange trips to Helsinki. Ask me to book a flight, then a hotel, a snowmobile and a spa.');
    if (/\b(hotel|room)\b.*\band\b.*\bsnowmobile|\bsnowmobile.*\band\b.*\b(hotel|room)\b/i.test(request)) {
      return turn.reply('Please send one message for each booking: I work on them at the same time.');
    }
    const destination = request.match(/\b(?:flight|fly) to ([A-Z]\p{L}+)/u)?.[1];
    if (wish === 'flight' && destination !== undefined && destination !== 'Helsinki') return turn.reject(`I arrange trips to Helsinki only, not to ${destination}.`);

    const trip = this.#tripOf(turn.contextId);
    const stranger = turn.message.referenceTaskIds.find(id => !trip.has(id));
    if (stranger !== undefined) return turn.reject(`The task ${stranger} is not a finished booking of this conversation.`);
    const needed = prerequisite[wish];
    const ground = needed === undefined ? undefined : trip.latest(needed, turn.message.referenceTaskIds);
    // A hotel may be booked elsewhere, so its guest is asked; without a flight there are no dates to book for.
    const named = wish === 'spa' && turn.task !== undefined && turn.text.length <= 200 ? turn.text : '';
    if (needed !== undefined && ground === undefined && named === '') {
      return needed === 'hotel'
        ? turn.ask('You have no hotel booking with me. At which hotel do you stay?')
        : turn.reject(`I book a ${wish} for the dates of your flight: book a flight to Helsinki first, or refer to its task.`);
    }
    if (wish === 'lounge') {
      turn.askPermission('The airline opens your account to me with your permission alone: give it at https://airline.example/allow. As this is a sample, it gives itself in a few seconds.');
      await turn.pause(permissionMs);
    }
    await this.#book(turn, trip, wish, request, ground, named);
  };

  async #book(turn: Turn, trip: Trip, kind: BookingKind, request: string, ground: Booking | undefined, hotelName: string): Promise<void> {
    const [ms, texts] = steps[kind];
    for (const text of texts) await turn.work(text, ms);
    const reference = `HEL-${String(++this.#count).padStart(4, '0')}`;
    const data = { reference, ...detailsOf(kind, request, ground, hotelName) };
    trip.add({ taskId: turn.taskId, kind, data });
    const sentence = `Your ${kind} is booked: ${reference}${ground === undefined ? '' : `, for ${ground.kind} ${ground.data.reference}`}.`;
    turn.artifact({ name: `${kind}_booking`, description: sentence, parts: [dataPart(data), textPart(sentence)] });
    turn.complete(sentence);
  }

  #tripOf(contextId: string): Trip {
    const trip = this.#trips.get(contextId) ?? new Trip();
    this.#trips.set(contextId, trip);
    return trip;
  }
}

/** The booking's own data. Times are local to the place and carry no zone. */
function detailsOf(kind: BookingKind, request: string, ground: Booking | undefined, hotelName: string): Record<string, unknown> {
  const day = String(ground?.data['date'] ?? request.match(/\b\d{4}-\d{2}-\d{2}\b/)?.[0] ?? '2027-02-12');
  switch (kind) {
    case 'flight': {
      const origin = Object.keys(departures).find(city => request.toLowerCase().includes(`from ${city}`)) ?? 'copenhagen';
      const { from, departs, arrives } = departures[origin] ?? { from: 'CPH', departs: '09:40', arrives: '12:20' };
      return { kind, flight: 'SB 314', from, to: 'HEL', date: day, departs: `${day}T${departs}`, arrives: `${day}T${arrives}`, seat: '12A' };
    }
    case 'hotel':
      return { kind, hotel: 'Hotel Katajanokka Pier', date: day, checkIn: `${day}T15:00`, nights: 3, room: 'double, sea view', flight: ground?.data.reference };
    case 'snowmobile':
      return { kind, tour: 'Sea ice and forest', date: day, pickUp: `${day}T17:30`, hours: 3, flight: ground?.data.reference };
    case 'lounge':
      return { kind, lounge: 'Sea breeze, gate 22', date: day, opens: `${day}T06:00`, flight: ground?.data.reference };
    case 'spa':
      return { kind, treatment: 'Sauna and birch whisk', date: day, starts: `${day}T20:00`, hotel: ground?.data['hotel'] ?? hotelName, hotelReference: ground?.data.reference };
  }
}
