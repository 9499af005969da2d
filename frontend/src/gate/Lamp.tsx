/** How a requirement stands: its form says it, and not only its colour. */

const SIGNS = { met: "✓", running: "…", waiting: "○", failed: "✗" };

export function Lamp({ state }: { state: keyof typeof SIGNS }) {
  return (
    <span class={`lamp ${state}`} role="img" aria-label={state}>
      {SIGNS[state]}
    </span>
  );
}
