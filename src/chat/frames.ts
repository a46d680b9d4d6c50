/** Longest rest between two drawings, milliseconds. */
const longest = 250;
/** A drawing that took less leaves the reader time enough, milliseconds. */
const short = 10;

/**
 * Runs what is given in the next frame. Where drawing takes long (a long text, a busy machine) the page rests after it as long as it
 * took, so that half of the time is left for the reader's keys and wheel. A page that is not drawn gets no frames, and what the host
 * tells must not pile up meanwhile: there it runs soon anyway.
 */
export function pacedFrames(): (run: () => void) => void {
  let restsUntil = 0;
  const draw = (run: () => void): void => {
    const began = performance.now();
    run();
    // The frame's layout and painting are done before the next task.
    setTimeout(() => {
      const now = performance.now();
      const cost = now - began;
      restsUntil = cost < short ? now : now + Math.min(cost, longest);
    });
  };
  return run => {
    const rest = restsUntil - performance.now();
    if (document.hidden) setTimeout(run, longest);
    else if (rest <= 1) requestAnimationFrame(() => draw(run));
    else setTimeout(() => requestAnimationFrame(() => draw(run)), rest);
  };
}
