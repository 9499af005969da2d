/** The edge of a rail: drag it, or move it with the arrow keys; a double click or Enter gives the width of the start. */

import type { Signal } from "@preact/signals";
import { filesWidth, groupsWidth } from "../state/settings";

const STEP = 16;
const LEAST = 160;
/** Of the window: what is left is the editor's. */
const MOST = 0.4;

interface Rail {
  label: string;
  width: Signal<number>;
  /** Which way is wider. */
  sign: 1 | -1;
  /** What the style sheet has for a rail that nobody has touched. */
  usual: () => number;
}

const RAILS: Record<"files" | "groups", Rail> = {
  files: {
    label: "Width of the files",
    width: filesWidth,
    sign: 1,
    usual: () => Math.max(210, 0.18 * innerWidth),
  },
  groups: {
    label: "Width of the groups",
    width: groupsWidth,
    sign: -1,
    usual: () => Math.max(270, 0.21 * innerWidth),
  },
};

const most = () => Math.round(MOST * innerWidth);
const within = (width: number) => Math.round(Math.min(Math.max(width, LEAST), most()));

/** The columns of the page that somebody has chosen. */
export function railWidths(): Record<string, string> {
  const chosen = Object.entries(RAILS).filter(([, rail]) => rail.width.value);
  const widths = chosen.map(([name, { width }]) => [
    `--${name}-width`,
    `clamp(${LEAST}px, ${Number(width.value)}px, ${MOST * 100}vw)`,
  ]);
  return Object.fromEntries(widths) as Record<string, string>;
}

export function RailEdge({ of }: { of: "files" | "groups" }) {
  const { label, width, sign, usual } = RAILS[of];
  const now = within(width.value || usual());
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box) width.value = within(sign > 0 ? event.clientX - box.left : box.right - event.clientX);
  };
  const press = (event: KeyboardEvent) => {
    const to = {
      ArrowRight: within(now + sign * STEP),
      ArrowLeft: within(now - sign * STEP),
      Home: LEAST,
      End: most(),
      Enter: 0,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    width.value = to;
  };
  return (
    <div
      class={`rail-edge of-${of}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={now}
      aria-valuemin={LEAST}
      aria-valuemax={most()}
      title={`${label}: drag, or arrow keys`}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDblClick={() => (width.value = 0)}
      onKeyDown={press}
    />
  );
}
