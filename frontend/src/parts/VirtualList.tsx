/** A long list of equally high rows, of which only those on the screen are there. */

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { whenIdle } from "../state/idle";

/** What is drawn above and below the screen, so that scrolling a little draws nothing. */
const MARGIN = 240;

interface Props<Row> {
  rows: readonly Row[];
  rowHeight: number;
  keyOf: (row: Row) => string;
  draw: (row: Row, index: number) => ComponentChildren;
  role: "tree" | "list";
  label: string;
  /** The row to keep on the screen. */
  shown?: string | null;
  /** How the person arranged the rows: until that changes, new rows move none that is on the screen. */
  arranged: unknown;
  /** How many new rows are above what is on the screen. */
  onNews?: (above: number) => void;
  box?: RefObject<HTMLDivElement | null>;
}

export function VirtualList<Row>(props: Props<Row>) {
  const { rows, rowHeight, keyOf, draw, role, label, shown, box } = props;
  const own = useRef<HTMLDivElement>(null);
  const scroller = box ?? own;
  const [range, setRange] = useState({ top: 0, height: 800 });
  const anchor = useRef({ keys: [] as string[], arranged: "", least: 0 });
  const heightOf = (count: number) => Math.max(count * rowHeight, anchor.current.least);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const { scrollTop: top, clientHeight: height } = element;
      setRange(known => (covers(known, top, top + height) ? known : { top, height }));
      anchor.current.least = Math.min(anchor.current.least, top + height);
      if (!top) props.onNews?.(0);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller]);

  useLayoutEffect(() => {
    const keys = rows.map(keyOf);
    const { keys: before, arranged } = anchor.current;
    const isSame = JSON.stringify(props.arranged) === arranged;
    anchor.current = { ...anchor.current, keys, arranged: JSON.stringify(props.arranged) };
    const element = scroller.current;
    if (!element || !isSame || before.length === 0) return;
    // To ask where things are has the browser lay them out: not for rows that are where they were.
    if (keys.length === before.length && keys.every((key, at) => key === before[at])) return;
    const come = above(before, keys, shown ?? null, {
      from: Math.floor(element.scrollTop / rowHeight),
      to: Math.ceil((element.scrollTop + element.clientHeight) / rowHeight),
    });
    if (!come) return;
    const top = element.scrollTop + come * rowHeight;
    // There must be room to scroll down to it.
    anchor.current.least = top + element.clientHeight;
    (element.firstElementChild as HTMLElement).style.height = `${heightOf(rows.length)}px`;
    element.scrollTop = top;
    setRange({ top: element.scrollTop, height: element.clientHeight });
    props.onNews?.(keys.slice(0, Math.floor(top / rowHeight)).filter(key => !before.includes(key)).length);
  });

  useEffect(() => {
    const follow = () => {
      const element = scroller.current;
      const at = shown ? rows.findIndex(row => keyOf(row) === shown) : -1;
      if (!element || at < 0) return;
      const top = at * rowHeight;
      const { scrollTop, clientHeight } = element;
      if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
        element.scrollTop = top - clientHeight / 3;
      }
    };
    // After what it is the row of: that is what is being waited for.
    return whenIdle(follow);
    // Only when another row is asked for: the person may scroll away from it.
  }, [shown]);

  const first = Math.max(0, Math.floor((range.top - MARGIN) / rowHeight));
  const last = Math.min(rows.length, Math.ceil((range.top + range.height + MARGIN) / rowHeight));
  return (
    <div class="virtual" ref={scroller} role={role} aria-label={label} tabIndex={-1}>
      <div class="virtual-space" role="presentation" style={{ height: `${heightOf(rows.length)}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows.slice(first, last).map((row, index) => draw(row, first + index))}
        </div>
      </div>
    </div>
  );
}

/** Whether what is drawn around a range reaches far enough beyond what is on the screen. */
function covers(range: { top: number; height: number }, from: number, to: number): boolean {
  const least = MARGIN / 2;
  return from >= range.top - least && to <= range.top + range.height + least;
}

/** How many rows more there are above what is read: the row that is shown, or else the first on the screen. */
function above(
  before: readonly string[],
  now: readonly string[],
  shown: string | null,
  sight: { from: number; to: number },
): number {
  const left = new Map(now.map((key, index) => [key, index]));
  const seen = before.slice(sight.from, sight.to).filter(key => left.has(key));
  const read = shown !== null && seen.includes(shown) ? shown : seen[0];
  return read === undefined ? 0 : (left.get(read) ?? 0) - before.indexOf(read);
}
