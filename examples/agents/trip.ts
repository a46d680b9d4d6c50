export type BookingKind = 'flight' | 'hotel' | 'lounge' | 'snowmobile' | 'spa';

/** A booking that was made, and the task that made it. */
export interface Booking {
  readonly taskId: string;
  readonly kind: BookingKind;
  readonly data: Readonly<Record<string, unknown>> & { readonly reference: string };
}

/** What a booking rests on. */
export const prerequisite: Readonly<Partial<Record<BookingKind, BookingKind>>> = { hotel: 'flight', snowmobile: 'flight', lounge: 'flight', spa: 'hotel' };

const maxBookings = 100;

/** The newest 100 bookings of one conversation, in the order they were made. */
export class Trip {
  readonly #bookings: Booking[] = [];

  add(booking: Booking): void {
    this.#bookings.push(booking);
    if (this.#bookings.length > maxBookings) this.#bookings.shift();
  }

  has(taskId: string): boolean {
    return this.#bookings.some(booking => booking.taskId === taskId);
  }

  /** The newest booking of a kind: of those that these tasks made where one is among them, since a follow-up may refer to a booking of another kind. */
  latest(kind: BookingKind, taskIds: readonly string[]): Booking | undefined {
    const bookings = this.#bookings.filter(booking => booking.kind === kind);
    return bookings.findLast(({ taskId }) => taskIds.includes(taskId)) ?? bookings.at(-1);
  }
}
