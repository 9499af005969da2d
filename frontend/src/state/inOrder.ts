/** What keys ask for is done in the order of the keys: a second one waits for what the first has to find out. */

let before: Promise<void> = Promise.resolve();

export function inOrder(act: () => Promise<void>): Promise<void> {
  // Whatever became of the first, the second is meant.
  before = before.then(act, act);
  return before;
}
