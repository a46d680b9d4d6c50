/** Longest rest between two drawings, milliseconds. */
const longest = 250;
/** A drawing that took less leaves the reader time enough, milliseconds. */
const short = 10;
/** After so long without a drawing (a frame), milliseconds, what comes is drawn at once and not when the next frame begins, which then shows it sooner. */
const quiet = 17;

/**
 * Runs what is given in the next frame, and at once where nothing was drawn for a while. Where drawing takes long (a long text, a busy
 * machine) the page rests after it as long as it took, so that half of the time is left for the reader's keys and wheel. A page that is
 * not drawn gets no frames, and what the host tells must not pile up meanwhile: there it runs soon anyway.
 */
export function pacedFrames(): (run: () => void) => void {
  let restsUntil = 0;
  let drewAt = Number.NEGATIVE_INFINITY;
  const draw = (run: () => void): void => {
    const began = performance.now();
    run();
    drewAt = performance.now();
    // In a frame, its layout and painting are done before the next task.
    setTimeout(() => {
      const now = performance.now();
      const cost = now - began;
      drewAt = now;
      restsUntil = cost < short ? now : now + Math.min(cost, longest);
    });
  };
  return run => {
    const now = performance.now();
    const rest = restsUntil - now;
    if (document.hidden) setTimeout(run, longest);
    else if (rest <= 1 && now - drewAt > quiet) draw(run);
    else if (rest <= 1) requestAnimationFrame(() => draw(run));
    else setTimeout(() => requestAnimationFrame(() => draw(run)), rest);
  };
}
