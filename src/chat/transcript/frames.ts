/** Longest rest between two drawings, milliseconds. */
const longest = 250;
/** A drawing that took less leaves the reader time enough, milliseconds. */
const short = 25;

/** Runs something with the next drawing, and reports how many milliseconds that took, layout and painting included. */
export type Schedule = (run: () => void, took?: (ms: number) => void) => void;

/**
 * Runs what is given in the next frame. Where drawing takes long (a long text, a busy machine) the page rests after it as long as it took,
 * so that half of the time is left for the reader's keys and wheel; a rest that it had before without owing it counts. A page that is not
 * drawn gets no frames, and updates of the host must not pile up meanwhile: there it runs soon anyway.
 */
export function pacedFrames(): Schedule {
  let ended = 0;
  let owed = 0;
  const draw = (run: () => void, took?: (ms: number) => void): void => {
    const began = performance.now();
    const spare = Math.max(0, began - ended - owed);
    run();
    // The frame's layout and painting are done before the next task.
    setTimeout(() => {
      ended = performance.now();
      const cost = ended - began;
      owed = cost < short ? 0 : Math.min(Math.max(0, cost - spare), longest);
      took?.(cost);
    });
  };
  return (run, took) => {
    const rest = ended + owed - performance.now();
    if (document.hidden) setTimeout(run, longest);
    else if (rest <= 1) requestAnimationFrame(() => draw(run, took));
    else setTimeout(() => requestAnimationFrame(() => draw(run, took)), rest);
  };
}
