/** A long list of equally high rows, of which only those on the screen are there. */

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const MARGIN_ROWS = 12;

interface Props<Row> {
  rows: readonly Row[];
  rowHeight: number;
  keyOf: (row: Row) => string;
  draw: (row: Row, index: number) => ComponentChildren;
  role: "tree" | "list";
  label: string;
  /** The row to keep on the screen. */
  shown?: string | null;
  box?: RefObject<HTMLDivElement | null>;
}

export function VirtualList<Row>({ rows, rowHeight, keyOf, draw, role, label, shown, box }: Props<Row>) {
  const own = useRef<HTMLDivElement>(null);
  const scroller = box ?? own;
  const [range, setRange] = useState({ top: 0, height: 800 });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => setRange({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const at = shown ? rows.findIndex(row => keyOf(row) === shown) : -1;
    if (!element || at < 0) return;
    const top = at * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top < scrollTop || top + rowHeight > scrollTop + clientHeight) {
      element.scrollTop = top - clientHeight / 3;
    }
    // Only when another row is asked for: the person may scroll away from it.
  }, [shown]);

  const first = Math.max(0, Math.floor(range.top / rowHeight) - MARGIN_ROWS);
  const last = Math.min(rows.length, Math.ceil((range.top + range.height) / rowHeight) + MARGIN_ROWS);
  return (
    <div class="virtual" ref={scroller} role={role} aria-label={label} tabIndex={-1}>
      <div class="virtual-space" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows.slice(first, last).map((row, index) => draw(row, first + index))}
        </div>
      </div>
    </div>
  );
}
