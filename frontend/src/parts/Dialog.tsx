/** A sheet before everything else. Esc closes it, and the focus goes back to where it was. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { focusHome } from "../acts/home";
import { closeDialog } from "../state/dialogs";

interface Props {
  title: string;
  class?: string;
  children: ComponentChildren;
}

export function Dialog({ title, class: name = "", children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  // Before anything is painted: the next key is already meant for the dialog.
  useLayoutEffect(() => {
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>("[data-focus]")?.focus();
    return () => {
      // The browser gives the focus back to where it was, if that is still there.
      box.current?.close();
      if (document.activeElement === document.body) focusHome();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`sheet ${name}`}
      aria-label={title}
      onCancel={event => {
        event.preventDefault();
        closeDialog();
      }}
      onMouseDown={event => {
        if (event.target === box.current) closeDialog();
      }}
    >
      <div class="sheet-inside">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
