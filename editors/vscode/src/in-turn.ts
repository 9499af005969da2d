// What people do, one after the other, however fast they press keys.

let last: Promise<unknown> = Promise.resolve();
let underWay = 0;

/**
 * Begins a step when the one before has ended. What it is about is only known then: the review may have gone on
 * to another change. And while VS Code still saves what one decision left, the next must not write the file, or
 * the older text would be saved over it, as if somebody had typed that.
 */
export function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
  underWay += 1;
  const done = last.then(step).finally(() => (underWay -= 1));
  last = done.catch(() => undefined);
  return done;
}

/** Whether somebody waits for something: what will be shown then, nobody has seen yet. */
export function isUnderWay(): boolean {
  return underWay > 0;
}
