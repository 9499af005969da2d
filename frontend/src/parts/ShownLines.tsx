/** Text from outside that may have several lines, each made safe by itself. */

import { Shown } from "./Shown";

export function ShownLines({ text }: { text: string }) {
  return (
    <>
      {text.split("\n").map((line, number) => (
        <>
          {number > 0 && "\n"}
          <Shown text={line} />
        </>
      ))}
    </>
  );
}
