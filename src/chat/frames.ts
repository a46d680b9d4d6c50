/** Longest wait between two drawings, milliseconds. */
const longest = 250;

/**
 * Runs what is given in the next frame. Where drawing takes long (a long text, a busy machine) the next one waits as long as the last
 * took, so that half of the time is left for the reader's keys and wheel. A page that is not drawn gets no frames, and what the host
 * tells must not pile up meanwhile: there it runs soon anyway.
 */
export function pacedFrames(): (run: () => void) => void {
  let cost = 0;
  const draw = (run: () => void): void => {
    const began = performance.now();
    run();
    // The frame's layout and painting are done before the next task.
    setTimeout(() => { cost = performance.now() - began; });
  };
  return run => {
    if (document.hidden) setTimeout(run, longest);
    else if (cost < 10) requestAnimationFrame(() => draw(run));
    else setTimeout(() => requestAnimationFrame(() => draw(run)), Math.min(cost, longest));
  };
}
