import type { Step } from './board.ts';

declare global {
  interface Window {
    /** What attacks run. */
    executions: { push(number: number): void };
    /** Tells the test. */
    reportHit(number: number): void;
  }
}

/** What is wrong with the page after a step. */
export interface Found {
  /** Elements and attributes that no page of ours has, as HTML. */
  readonly foreign: readonly string[];
  /** Addresses that the host was asked to follow. */
  readonly links: readonly string[];
}

/** Runs in every frame before other scripts: records attacks and stops the clock, so that results do not depend on the machine's speed. */
export function armed(): void {
  window.executions = { push: number => window.reportHit(number) };
  // Attacks that others wrote say that they run in one of these ways.
  window.alert = window.print = () => window.reportHit(-1);
  window.confirm = () => {
    window.reportHit(-1);
    return false;
  };
  window.prompt = () => {
    window.reportHit(-1);
    return null;
  };
  window.open = () => {
    window.reportHit(-1);
    return null;
  };
  performance.now = () => 0;
  const channel = new MessageChannel();
  const due = new Map<number, () => void>();
  let last = 1_000_000;
  channel.port1.onmessage = ({ data }: MessageEvent<number>) => {
    const run = due.get(data);
    due.delete(data);
    run?.();
  };
  const soon = (run: () => void): number => {
    due.set(++last, run);
    channel.port2.postMessage(last);
    return last;
  };
  const { setTimeout, clearTimeout } = window;
  window.requestAnimationFrame = run => soon(() => run(0));
  window.cancelAnimationFrame = id => {
    due.delete(id);
  };
  window.setTimeout = ((run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
    delay < 1000 ? soon(() => run(...args)) : setTimeout(run, delay, ...args)) as typeof window.setTimeout;
  window.clearTimeout = id => {
    if (typeof id !== 'number' || !due.delete(id)) clearTimeout(id);
  };
}

/**
 * Shows the steps (as JSON) one after the other; in each, presses what is to be pressed, fires events everywhere, follows every link, and
 * looks; and looks once more at the end.
 */
export async function play({ json, again }: { readonly json: string; readonly again: boolean }): Promise<Found> {
  const steps = JSON.parse(json) as readonly Step[];
  const foreign: string[] = [];
  const links: string[] = [];
  const tags = new Set(
    (
      'a article audio bdi blockquote br button code dd del details div dl dt em fieldset footer h1 h2 h3 header hr img input label legend li main mark ol option p pre progress section select span strong summary table tbody td textarea ' +
      'th thead time tr ul video'
    ).split(' '),
  );
  const foreignAttributes = new Set([
    'href',
    'srcset',
    'srcdoc',
    'action',
    'formaction',
    'ping',
    'poster',
    'background',
    'name',
    'xlink:href',
    'contenteditable',
    'is',
    'slot',
  ]);
  const tick = (): Promise<void> =>
    new Promise(done => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done();
      channel.port2.postMessage(null);
    });
  const settled = async (): Promise<void> => {
    await tick();
    while (window.fakeHost.pending.size > 0) await tick();
    await tick();
  };
  const pictures = async (): Promise<void> => {
    await Promise.all(
      [...document.images]
        .filter(({ complete }) => !complete)
        .map(
          image =>
            new Promise(done => {
              for (const type of ['load', 'error']) image.addEventListener(type, done);
            }),
        ),
    );
  };

  // The lines between tasks, which the host has drawn.
  const lineAttributes = new Set([
    'class',
    'd',
    'width',
    'height',
    'aria-hidden',
    'viewBox',
    'marker-end',
    'id',
    'refX',
    'refY',
    'markerWidth',
    'markerHeight',
    'orient',
  ]);
  const isDrawn = (element: Element, names: readonly string[]): boolean =>
    element.closest('svg.net-lines') !== null &&
    ['svg', 'path', 'defs', 'marker', 'g'].includes(element.localName) &&
    names.every(name => lineAttributes.has(name));
  const unexpected = (element: Element, names: readonly string[]): boolean =>
    !tags.has(element.localName) ||
    element.namespaceURI !== 'http://www.w3.org/1999/xhtml' ||
    names.some(name => {
      if (name.startsWith('on')) return true;
      if (name === 'src') return !element.getAttribute(name)?.startsWith('data:');
      return name === 'style' ? element.getAttribute(name)?.includes('url(') : foreignAttributes.has(name);
    });
  const strange = (element: Element, names: readonly string[]): boolean => unexpected(element, names) && !isDrawn(element, names);
  const usual = ['mouseover', 'focus', 'load', 'toggle'].map(type => new Event(type));

  const look = async (): Promise<void> => {
    for (const element of document.querySelectorAll('#root *')) {
      const names = element.getAttributeNames();
      if (strange(element, names) && foreign.length < 100) foreign.push(element.outerHTML.slice(0, 300));
      for (const event of usual) element.dispatchEvent(event);
      for (const name of names) if (name.startsWith('on')) element.dispatchEvent(new Event(name.slice(2), { cancelable: true }));
    }
    if (window.frames.length > 0) foreign.push(`${window.frames.length} frames`);
    for (const name in {}) foreign.push(`Object.prototype.${name}`);
    for (const element of document.querySelectorAll('a, area, [role=link], form button, input[type=submit], input[type=image]')) {
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      // A link that leads somewhere takes back the one before it, where that had no time to.
      for (let ticks = 0; ticks < 3 && element.hasAttribute('href'); ticks++) await tick();
    }
  };

  // Rendering frames during a step would take a third of the time. The step is laid out once at its end, so that styles load their URLs.
  const root = document.querySelector<HTMLElement>('#root');
  const hidden = (hide: boolean): void => {
    root?.style.setProperty('content-visibility', hide ? 'hidden' : 'visible');
    if (!hide) void root?.offsetHeight;
  };

  const press = async (selectors: readonly string[], looked = false): Promise<void> => {
    for (const selector of selectors) {
      const elements = document.querySelectorAll<HTMLElement>(selector);
      for (const element of elements) element.click();
      if (elements.length > 0) await settled();
      if (!looked) continue;
      hidden(false);
      await look();
      hidden(true);
    }
  };

  for (const { answers, messages, presses, eachLooked, lastPresses = [] } of steps) {
    Object.assign(window.fakeHost.answers, answers);
    hidden(true);
    for (const message of messages) window.postMessage(message);
    await settled();
    const box = document.querySelector<HTMLTextAreaElement>('.composer-box textarea');
    if (box !== null) {
      box.value = 'a';
      box.dispatchEvent(new Event('input', { bubbles: true }));
      await settled();
    }
    await press(presses, eachLooked);
    await pictures();
    hidden(false);
    await look();
    await settled();
    await press(lastPresses);
    for (const { name, params } of window.fakeHost.sent) if (name === 'openLink') links.push((params as { url: string }).url);
    // Pages beside the chat have messages without envelopes.
    for (const { type, url } of window.fakeHost.sent as unknown as readonly { readonly type: string; readonly url: string }[])
      if (type === 'openLink') links.push(url);
    window.fakeHost.sent = [];
  }
  if (again) await look();
  return { foreign, links };
}
