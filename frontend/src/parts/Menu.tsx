/** A quiet button that opens a list of things to do. The browser closes it, and gives the focus back. */

import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isAllowed, needOf } from "../hub/allowed";
import { keysFor } from "../keys/bindings";

export interface MenuItem {
  label: string;
  act: () => void;
  /** The command whose key is shown beside it. */
  command?: string;
  /** One of several states: whether it is this one. */
  checked?: boolean;
  tone?: "accept" | "reject";
  disabled?: boolean;
}

interface Props {
  label: string;
  items: () => MenuItem[];
  class?: string;
  title?: string;
  children?: ComponentChildren;
}

const GAP = 4;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export function Menu({ label, items, class: name = "", title, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === "Tab") box.current?.hidePopover();
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button menu-button ${name}`}
        title={title ?? label}
        aria-label={children ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {children ?? "⋯"}
      </button>
      <div
        ref={box}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onBeforeToggle={event => {
          setOpen(event.newState === "open");
          place(box.current, button.current);
        }}
        onToggle={event => {
          if (event.newState === "open") box.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
        }}
        onKeyDown={move}
      >
        {isOpen &&
          items()
            .filter(isOffered)
            .map(item => (
              <button
                key={item.label}
                type="button"
                role={item.checked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={item.checked}
                class={item.tone ?? ""}
                disabled={item.disabled}
                tabIndex={-1}
                onClick={() => {
                  box.current?.hidePopover();
                  item.act();
                }}
              >
                <span class="check-mark">{item.checked ? "✓" : ""}</span>
                <span class="menu-label">{item.label}</span>
                {item.command && keysFor(item.command) && <kbd>{keysFor(item.command)}</kbd>}
              </button>
            ))}
      </div>
    </>
  );
}

/** Not what would be refused. */
function isOffered({ command, tone }: MenuItem): boolean {
  return isAllowed(needOf(command) ?? (tone && "decide"));
}

/** Below its button or above it, wherever there is more room. */
function place(box: HTMLElement | null, button: HTMLElement | null): void {
  if (!box || !button) return;
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const isLow = top > innerHeight / 2;
  const isRight = left > innerWidth / 2;
  box.style.inset = [
    isLow ? "auto" : `${bottom + GAP}px`,
    isRight ? `${Math.max(innerWidth - right, GAP)}px` : "auto",
    isLow ? `${innerHeight - top + GAP}px` : "auto",
    isRight ? "auto" : `${left}px`,
  ].join(" ");
}
