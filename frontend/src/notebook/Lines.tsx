/** Several lines of text from outside, each made safe by itself. */

import { Shown } from "../parts/Shown";

export function Lines({ text }: { text: string }) {
  return (
    <>
      {text.split("\n").map(line => (
        <div class="plain-line">
          <Shown text={line || " "} />
        </div>
      ))}
    </>
  );
}
