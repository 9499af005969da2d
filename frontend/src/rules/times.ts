/** Times as people say them. */

const DAY = 24 * 60 * 60 * 1000;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Today by the clock, otherwise with its date. */
export function shortTime(iso: string, now = Date.now()): string {
  const at = new Date(iso);
  return now - at.getTime() < DAY ? clock.format(at) : `${date.format(at)} ${clock.format(at)}`;
}

/** To the second: an agent makes several edits in a minute. */
export function exactTime(iso: string): string {
  return seconds.format(new Date(iso));
}

export function fullTime(iso: string): string {
  return full.format(new Date(iso));
}
