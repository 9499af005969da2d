/** Work that nobody waits for. */

const SOON_MS = 50;
const LATEST_MS = 500;

/** Does something when the browser has nothing else to do; where it does not tell, a little later. Gives what stops it. */
export function whenIdle(act: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const number = requestIdleCallback(act, { timeout: LATEST_MS });
    return () => cancelIdleCallback(number);
  }
  const number = setTimeout(act, SOON_MS);
  return () => clearTimeout(number);
}
