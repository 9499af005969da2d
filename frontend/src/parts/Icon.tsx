/** Small line drawings, in the colour of the text around them. */

const PATHS = {
  accept: "M3 8.5l3.2 3.2L13 4.8",
  reject: "M4 4l8 8M12 4l-8 8",
  type: "M3 13l.7-3L11 2.7l2.3 2.3L6 12.3zM9.6 4.1l2.3 2.3",
  note: "M2.5 3.5h11v7h-6l-3 2.8v-2.8h-2z",
  why: "M8 7.2v4M8 4.6v.4M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
  undo: "M5.5 3L2.8 5.7l2.7 2.7M3 5.7h6.2a3.6 3.6 0 0 1 0 7.2H6",
  redo: "M10.5 3l2.7 2.7-2.7 2.7M13 5.7H6.8a3.6 3.6 0 0 0 0 7.2H10",
  next: "M8 2.8v10M4.2 9L8 12.8 11.8 9",
  previous: "M8 13.2v-10M4.2 7L8 3.2 11.8 7",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  shown:
    "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z",
  hidden:
    "M2 2l12 12M4.2 4.9C2.5 6.2 1.5 8 1.5 8S4 12.2 8 12.2c1.1 0 2.1-.3 3-.7M6.6 4c.5-.1.9-.2 1.4-.2 4 0 6.5 4.2 6.5 4.2s-.6 1-1.6 2",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  settings: "M2.5 4.5h7M12 4.5h1.5M2.5 11.5h2M7 11.5h6.5M10.7 3v3M5.7 10v3",
  clear: "M3 5h10M5.5 5V3h5v2M4.5 5l.7 8h5.6l.7-8",
  files: "M2.5 3.5h4l1.3 1.6h5.7v7.4h-11z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
