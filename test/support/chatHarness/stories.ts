import type { ChatSnapshot } from '../../../src/chat/host/messages.ts';
import type { ExchangeFindings } from '../../../src/chat/host/chatState.ts';
import { sailboat, snapshotOf, Story, storyStart, task } from './story.ts';

const report = `## Rigging before a storm

A **short** list, in the order that matters when time is short:

1. Reef early; a reefed sail is still a sail.
2. Clear the deck, *then* close the hatches.
3. Check the [harbour forecast](https://example.org/forecast?place=helsinki) again.

| Wind | Beaufort | Sail |
| :--- | ---: | :--- |
| fresh breeze | 5 | full main, small jib |
| near gale | 7 | two reefs |
| storm | 10 | storm jib only |

\`\`\`ts
/** Knots to metres per second. */
export const metresPerSecond = (knots: number): number => knots * 0.514444;
console.log(\`\${metresPerSecond(34).toFixed(1)} m/s\`);
\`\`\`

> Below deck, \`barometer.read()\` is worth more than any opinion.

![the harbour](https://example.org/harbour.png)
`;

const booking = {
  reference: 'HEL-4711',
  flight: { from: 'FRA', to: 'HEL', departs: '2026-11-23T07:25:00+01:00', seats: ['14A', '14B'] },
  price: { amount: 312.4, currency: 'EUR' },
  refundable: false,
};

/** Of a finished task, of a refused message and of a question. */
const deviations: readonly ExchangeFindings[] = [
  {
    exchangeId: 'exchange-6',
    operation: 'SendStreamingMessage',
    startedAt: storyStart,
    lines: [
      {
        rule: 'DATA-04',
        title: 'Timestamps are ISO 8601 in UTC',
        section: '5.6.1',
        level: 'MUST',
        pointer: '/status/timestamp',
        message: '"yesterday" is no timestamp.',
        finding: 0,
        times: 4,
      },
      {
        rule: 'DATA-01',
        title: 'Tasks, messages, artifacts and events have their required members',
        section: '4.1',
        level: 'MUST',
        pointer: '/artifact/parts/0/<b>bold</b>',
        message: 'The member [messageId](https://evil.example) is missing; one was made up, so that the message can be told from others.',
        finding: 2,
        times: 1,
      },
    ],
  },
  {
    exchangeId: 'exchange-14',
    operation: 'SendStreamingMessage',
    startedAt: storyStart + 70_000,
    lines: [
      {
        rule: 'RPC-02',
        title: 'The answer has the media type of its binding',
        section: '9.1',
        level: 'MUST',
        pointer: '',
        message: 'The answer is JSON; its media type should say so, not "text/plain".',
        finding: 0,
        times: 1,
      },
    ],
  },
];

/** Everything at once: what the panel looks like on a busy day. */
export function busyDay(): ChatSnapshot {
  const story = new Story()
    .user(0, 'Generate an image of a sailboat on the ocean.', { taskId: 't-1' })
    .status(0.2, 't-1', 'TASK_STATE_SUBMITTED')
    .status(0.4, 't-1', 'TASK_STATE_WORKING', 'Sketching the hull…')
    .status(0.9, 't-1', 'TASK_STATE_WORKING', 'Hoisting the sails…')
    .status(1.4, 't-1', 'TASK_STATE_WORKING', 'Filling the sea…')
    .artifact(1.9, 't-1', [{ raw: sailboat(false), mediaType: 'image/png', filename: 'sailboat_image.png' }], {
      name: 'sailboat_image.png',
      description: 'A sailboat on a calm ocean',
    })
    .status(2.1, 't-1', 'TASK_STATE_COMPLETED')
    .user(41, 'What should I know about rigging before a storm? Also send the booking.', { taskId: 't-2' })
    .status(41.2, 't-2', 'TASK_STATE_WORKING', 'Reading the handbook…')
    .artifact(43, 't-2', [{ text: report }], { name: 'Handbook, chapter 4', chunks: 312 })
    .artifact(
      44,
      't-2',
      [
        { data: booking, mediaType: 'application/json' },
        { raw: Buffer.from('%PDF-1.7 ticket').toString('base64'), mediaType: 'application/pdf', filename: 'ticket.pdf' },
        { url: 'https://example.org/receipts/4711.pdf', mediaType: 'application/pdf' },
      ],
      { name: 'Booking' },
    )
    .gap(45, 't-2')
    .status(52, 't-2', 'TASK_STATE_FAILED', 'The harbour office closed the connection while the receipt was being written.')
    .problem(
      52.3,
      'The agent ended the stream before the task finished.',
      'Read the task again; the agent may have gone on by itself.',
      'HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\ndata: {"jsonrpc":"2.0","id":"7","result":{"statusUp',
      't-2',
    )
    .user(70, 'Please modify the sailboat to be red.', { delivery: 'unknown' })
    .user(95, 'How much is 10 USD?', { taskId: 't-3' })
    .status(95.4, 't-3', 'TASK_STATE_INPUT_REQUIRED', 'To which currency should I convert 10 USD? I know EUR, GBP, JPY and SEK.');
  return snapshotOf(
    story.entries,
    {
      title: 'Generate an image of a sailboat on the ocean.',
      contextId: 'ctx-1',
      waitingTaskId: 't-3',
      tasks: [
        task('t-3', 'TASK_STATE_INPUT_REQUIRED', 'How much is 10 USD?', 95),
        task('t-2', 'TASK_STATE_FAILED', 'What should I know about rigging before a storm? Also send the booking.', 41),
        task('t-1', 'TASK_STATE_COMPLETED', 'Generate an image of a sailboat on the ocean.', 0),
      ],
    },
    deviations,
  );
}

/** One task under way, an artifact half written. */
export function streaming(): ChatSnapshot {
  const story = new Story()
    .user(0, 'Write about harbours.', { taskId: 't-1' })
    .status(0.2, 't-1', 'TASK_STATE_WORKING', 'Collecting what is known about harbours…')
    .status(0.6, 't-1', 'TASK_STATE_WORKING', 'Writing the first chapter…')
    .artifact(
      1,
      't-1',
      [
        {
          text: `# Harbours\n\nA harbour is a promise that the sea makes to the land.\n\n## What makes one good\n\n- shelter from the prevailing wind\n- a bottom that holds an anchor\n\n\`\`\`python\ndef depth(chart, at):\n    return chart[at] - tide(at)\n`,
        },
      ],
      { name: 'harbours.md', complete: false, chunks: 87 },
    )
    .status(1.2, 't-1', 'TASK_STATE_WORKING', 'Writing the second chapter…');
  return snapshotOf(story.entries, {
    agent: 'Writer',
    title: 'Write about harbours.',
    contextId: 'ctx-1',
    running: true,
    tasks: [task('t-1', 'TASK_STATE_WORKING', 'Write about harbours.', 0)],
  });
}

/** One exchange, answered by a message alone, and a refused message. */
export function plainTalk(): ChatSnapshot {
  const story = new Story()
    .user(0, 'Hello! What can you do?')
    .agent(0.6, [
      {
        text: 'I convert money. Ask me, for example:\n\n- `How much is 10 USD in EUR?`\n- `Which currencies do you know?`\n\nRates are those of **2 January 2026**.',
      },
    ])
    .user(30, 'Transfer 10 USD to my account.', { delivery: 'refused' })
    .problem(
      30.1,
      'The agent refused the message: Operation not supported (-32004).',
      'Ask for something the agent card lists.',
      '{"code":-32004,"message":"Operation not supported"}',
    )
    .user(44, 'Then convert 10 USD to EUR.', { delivery: 'sending' });
  return snapshotOf(story.entries, { agent: 'Currency', title: 'Hello! What can you do?', contextId: 'ctx-1', running: true });
}

/** A context without messages. */
export function untouched(): ChatSnapshot {
  return snapshotOf([], {
    agent: 'Currency',
    description: 'Converts amounts between currencies with a fixed table of rates, and asks back where an amount or a currency is missing.',
    examples: ['How much is 10 USD?', 'Convert 25 GBP to JPY', 'Which currencies do you know?'],
  });
}

/** A journey whose hotel and snowmobile are booked at the same time, line by line in turns, while the spa asks. */
export function parallelTasks(): ChatSnapshot {
  const story = new Story()
    .user(0, 'Book a flight to Helsinki', { taskId: 't-1' })
    .status(1, 't-1', 'TASK_STATE_COMPLETED', 'Your flight is booked: HEL-0001.')
    .user(10, 'Book a hotel', { taskId: 't-2' })
    .user(11, 'Book a snowmobile', { taskId: 't-3' })
    .user(12, 'Book a spa', { taskId: 't-4' })
    .status(12.1, 't-2', 'TASK_STATE_SUBMITTED')
    .status(12.2, 't-3', 'TASK_STATE_SUBMITTED')
    .status(12.3, 't-2', 'TASK_STATE_WORKING', 'Looking for rooms near the harbour…')
    .status(12.4, 't-3', 'TASK_STATE_WORKING', 'Checking the snow…')
    .status(12.5, 't-4', 'TASK_STATE_WORKING', 'Asking the spa for a time…')
    .status(13, 't-2', 'TASK_STATE_WORKING', 'Comparing four hotels…')
    .status(13.1, 't-3', 'TASK_STATE_WORKING', 'Asking which guides are free…')
    .status(14, 't-2', 'TASK_STATE_WORKING', 'Booking the room…')
    .status(14.2, 't-4', 'TASK_STATE_INPUT_REQUIRED', 'At which hotel do you stay?')
    .artifact(14.4, 't-2', [{ text: 'Hotel Katajanokka Pier, three nights.' }], { name: 'hotel_booking' })
    .status(14.5, 't-3', 'TASK_STATE_WORKING', 'Reserving a snowmobile…')
    .status(14.6, 't-2', 'TASK_STATE_COMPLETED', 'Your hotel is booked: HEL-0002.');
  return snapshotOf(story.entries, {
    agent: 'Helsinki',
    title: 'Book a flight to Helsinki',
    contextId: 'ctx-1',
    running: true,
    waitingTaskId: 't-4',
    tasks: [
      task('t-4', 'TASK_STATE_INPUT_REQUIRED', 'Book a spa', 12_000),
      task('t-3', 'TASK_STATE_WORKING', 'Book a snowmobile', 11_000),
      task('t-2', 'TASK_STATE_COMPLETED', 'Book a hotel', 10_000),
      task('t-1', 'TASK_STATE_COMPLETED', 'Book a flight to Helsinki', 0),
    ],
  });
}
