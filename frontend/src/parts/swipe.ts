/** A card that a finger moves to the right is accepted, to the left rejected. */

import { useRef, useState } from "preact/hooks";

/** As far as a finger must go. */
export const FAR_ENOUGH = 96;
/** Before that, it may still be scrolling. */
const BEGINS = 12;

interface Touch {
  id: number;
  x: number;
  y: number;
  isSwipe: boolean;
}

export function useSwipe(onRight: () => void, onLeft: () => void) {
  const touch = useRef<Touch | null>(null);
  const [shift, setShift] = useState(0);
  const over = () => {
    touch.current = null;
    setShift(0);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== "touch" || !event.isPrimary) return;
      touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY, isSwipe: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const begun = touch.current;
      if (begun?.id !== event.pointerId) return;
      const [x, y] = [event.clientX - begun.x, event.clientY - begun.y];
      if (!begun.isSwipe && Math.abs(x) < BEGINS) return;
      if (!begun.isSwipe && Math.abs(y) > Math.abs(x)) return over();
      begun.isSwipe = true;
      setShift(x);
    },
    onPointerUp: (event: PointerEvent) => {
      const begun = touch.current;
      if (begun?.id !== event.pointerId) return;
      const x = event.clientX - begun.x;
      over();
      if (!begun.isSwipe || Math.abs(x) < FAR_ENOUGH) return;
      if (x > 0) onRight();
      else onLeft();
    },
    // The browser scrolls instead.
    onPointerCancel: over,
  };
  return { shift, handlers };
}
