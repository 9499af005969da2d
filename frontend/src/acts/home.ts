/** Where the focus is when it is nowhere else: on the editor or the list of changes, where letters are commands. */
export function focusHome(): void {
  document.querySelector<HTMLElement>("[data-home]")?.focus({ preventScroll: true });
}
