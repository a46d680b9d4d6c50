import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Message } from '../../src/protocol/message/message.ts';
import type { AgentContext } from '../../src/model/contexts/agentContext.ts';
import { median, tell } from './measure.ts';
import { PanelStage } from './panel/panelStage.ts';
import { traced } from './panel/trace.ts';

// Latency from an agent's bytes on the wire to pixels in the panel. Headless Chromium draws 60 frames a second, so each figure includes up
// to
// 17 ms of waiting for a frame.

const at = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const now = (): number => performance.timeOrigin + performance.now();

const agent = fork(join(import.meta.dirname, 'panel', 'agent.ts'), { stdio: 'inherit' });
const [port] = (await once(agent, 'message')) as [number];
const url = `http://127.0.0.1:${port}/`;
const stage = await PanelStage.open(url);

const say = (context: AgentContext, text: string): { readonly done: Promise<unknown> } =>
  context.send({ parts: [{ text }], target: 'new-task' });

/** From the agent's `write` to a client without any processing. */
async function wireTime(delay: number): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendStreamingMessage',
    params: { message: { parts: [{ text: `first ${delay}` }] } },
  });
  const response = await fetch(url, { method: 'POST', body });
  let text = '';
  let took: number | undefined;
  for await (const bytes of response.body!) {
    const heard = now();
    text += Buffer.from(bytes).toString();
    const written = /written ([\d.]+) end/.exec(text)?.[1];
    if (written !== undefined) took ??= heard - Number(written);
  }
  return took ?? Number.NaN;
}

async function firstChunks(): Promise<void> {
  const wire: number[] = [];
  const seen: number[] = [];
  for (let round = -3; round < 60; round++) {
    const delay = (round * 13 + 39) % 90;
    const context = stage.contexts.create('Replay');
    const { frame } = await stage.show(context, '.composer', '');
    const painted = frame.evaluate(
      async () => [await window.painted('.row', 'written '), document.querySelector('.scroller')?.textContent ?? ''] as const,
    );
    await say(context, `first ${delay}`).done;
    const [when, text] = await painted;
    const bare = await wireTime(delay);
    if (round < 0) continue;
    wire.push(bare);
    seen.push(when - Number(/written ([\d.]+) end/.exec(text)?.[1]));
  }
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const over = at(seen, share) - at(wire, share);
    tell({
      name: `first chunk on the wire to first paint, over the wire time: ${name}`,
      value: over,
      unit: 'ms',
      against: 'the wire time',
      ratio: at(seen, share) / at(wire, share),
    });
  }
}

async function streams(): Promise<void> {
  for (const [what, rate] of [
    ['1,000 chunks a second', 1000],
    ['as fast as it goes', 0],
  ] as const) {
    const rounds: { longest: number; worked: number; over50: number; dropped: number; frames: number; late: number; lasted: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const context = stage.contexts.create('Replay');
      const { frame } = await stage.show(context, '.composer', '');
      const end = frame.evaluate(async () => {
        const stop = window.countFrames();
        const when = await window.painted('.row', ' end');
        return { when, ...stop(), text: document.querySelector('.scroller')?.textContent ?? '' };
      });
      const tasks = await traced(stage.page, async () => {
        await say(context, `stream 10000 ${rate}`).done;
        await end;
      });
      const { when, dropped, drawn, text } = await end;
      const [, began, ended] = /over ([\d.]+) ([\d.]+) end/.exec(text) ?? [];
      rounds.push({
        longest: Math.max(...tasks.map(({ took }) => took)),
        worked: Math.max(...tasks.map(({ worked }) => worked)),
        over50: tasks.filter(({ took }) => took > 50).length,
        dropped,
        frames: drawn + dropped,
        late: when - Number(ended),
        lasted: Number(ended) - Number(began),
      });
    }
    const of = (name: keyof (typeof rounds)[number]): number => median(rounds.map(round => round[name]));
    tell({ name: `10,000 chunks of Markdown, ${what}: longest task of the panel`, value: of('longest'), unit: 'ms' });
    tell({ name: `10,000 chunks of Markdown, ${what}: longest task of the panel, processor time`, value: of('worked'), unit: 'ms' });
    tell({ name: `10,000 chunks of Markdown, ${what}: tasks over 50 ms`, value: of('over50'), unit: 'tasks' });
    tell({
      name: `10,000 chunks of Markdown, ${what}: dropped frames`,
      value: of('dropped'),
      unit: 'frames',
      against: 'all frames',
      ratio: of('dropped') / of('frames'),
    });
    tell({
      name: `10,000 chunks of Markdown, ${what}: end after the last event`,
      value: of('late'),
      unit: 'ms',
      against: 'the stream',
      ratio: (of('lasted') + of('late')) / of('lasted'),
    });
  }
}

const message = (index: number): Message => ({
  messageId: `m${index}`,
  role: index % 2 === 0 ? 'ROLE_AGENT' : 'ROLE_USER',
  parts: [
    {
      text: `Number ${index}. ${'It goes **on** with `words` that fill a line or two. '.repeat(3)}${index % 7 === 0 ? '\n\n- one\n- two\n\n```json\n{ "a": 1 }\n```' : ''}`,
    },
  ],
});

async function longContext(): Promise<void> {
  const contexts = [5000, 10].map(count => {
    const context = stage.contexts.create('Replay');
    for (let from = 0; from < count; from += 500) {
      stage.store.record(
        context.key,
        Array.from({ length: Math.min(500, count - from) }, (_, index) => ({ kind: 'message', message: message(from + index) })),
        { at: 1_700_000_000_000 + from, owner: 'bench' },
      );
    }
    return { context, last: `Number ${count - 1}.`, times: [] as number[] };
  });
  const reached: number[] = [];
  for (let round = 0; round < 8; round++) {
    for (const { context, last, times } of contexts) {
      const opened = now();
      const { frame, painted: when } = await stage.show(context, '.row', last);
      if (round > 0) times.push(when - opened);
      if (last !== 'Number 4999.') continue;
      const first = context.entriesAfter(0, 1).items[0]!.seq;
      const painted = frame.evaluate(() => window.painted('.row', 'Number 0.'));
      const began = now();
      stage.reveal(first);
      const there = await painted;
      if (round > 0) reached.push(there - began);
    }
  }
  const [long, short] = contexts.map(({ times }) => median(times)) as [number, number];
  tell({ name: 'opening a context of 5,000 messages', value: long, unit: 'ms', against: 'one of 10 messages', ratio: long / short });
  const tasks = await traced(stage.page, async () => {
    await stage.show(contexts[0]!.context, '.row', contexts[0]!.last);
  });
  tell({
    name: 'opening a context of 5,000 messages: the panel, processor time',
    value: tasks.reduce((sum, { worked }) => sum + worked, 0),
    unit: 'ms',
  });
  tell({ name: 'going to the first of 5,000 messages', value: median(reached), unit: 'ms' });
}

const wireEvents = 10_000;

/** Scrolls the table of the wire from one end to the other, a screen in two frames, as a person does who drags the bar. */
async function wireTable(): Promise<void> {
  const context = stage.contexts.create('Replay');
  const { frame } = await stage.show(context, '.composer', '');
  await say(context, `wire ${wireEvents} 0`).done;
  await frame.getByRole('tab', { name: 'Wire' }).click();
  await frame.locator('.wire-drawn > .wire-row').first().waitFor();
  const rounds: { dropped: number; drawn: number; longest: number }[] = [];
  for (let round = 0; round < 4; round++) {
    const counted = await frame.evaluate(
      async ([wanted, back]) => {
        const rows = document.querySelector('.wire-drawn')!;
        let box: Element = rows;
        while (box.scrollHeight <= box.clientHeight + 1 || getComputedStyle(box).overflowY === 'visible') box = box.parentElement!;
        const height = rows.querySelector('.wire-row')!.getBoundingClientRect().height;
        const frameDrawn = (): Promise<number> => new Promise(requestAnimationFrame);
        // Rows come in pages: all of them are there before it is measured.
        for (const end = performance.now() + 60_000; box.scrollHeight < wanted! * height && performance.now() < end; ) {
          box.scrollTop = box.scrollHeight;
          await frameDrawn();
        }
        if (box.scrollHeight < wanted! * height) throw new Error(`only ${Math.round(box.scrollHeight / height)} rows`);
        const [from, to] = back === 1 ? [box.scrollHeight, 0] : [0, box.scrollHeight];
        box.scrollTop = from;
        await frameDrawn();
        const stop = window.countFrames();
        const step = ((to - from) * box.clientHeight) / Math.abs(to - from) / 2;
        for (let top = from; step > 0 ? top < to : top > to; top += step) {
          box.scrollTop = top;
          await frameDrawn();
        }
        return stop();
      },
      [wireEvents, round % 2] as const,
    );
    if (round > 0) rounds.push(counted);
  }
  const of = (name: keyof (typeof rounds)[number]): number => median(rounds.map(round => round[name]));
  tell({
    name: `10,000 rows of the wire, scrolled through: dropped frames`,
    value: of('dropped'),
    unit: 'frames',
    against: 'all frames',
    ratio: of('dropped') / (of('dropped') + of('drawn')),
  });
  tell({ name: '10,000 rows of the wire, scrolled through: longest time from frame to frame', value: of('longest'), unit: 'ms' });
}

try {
  await longContext();
  await firstChunks();
  await streams();
  await wireTable();
} finally {
  await stage.close();
  agent.disconnect();
}
