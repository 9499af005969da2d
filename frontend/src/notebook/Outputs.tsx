/** What running a cell left in it: folded, and drawn as text and pictures only when somebody opens it. */

import { useEffect, useState } from "preact/hooks";
import { counted, grouped } from "../rules/counting";
import { Lines } from "./Lines";
import type { OutputDocument, OutputsDocument } from "../wire/contract";
import { outputs } from "./wire";

interface Props {
  path: string;
  cell: number;
  size: number;
  version: number;
}

export function Outputs({ path, cell, size, version }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<OutputsDocument | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!isOpen) return;
    outputs(path, cell).then(setFound, (error: unknown) => setProblem(String(error)));
  }, [isOpen, path, cell, version]);
  if (size === 0) return null;
  return (
    <details class="outputs" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Outputs, {kilobytes(size)}</summary>
      {problem && <p class="empty">{problem}</p>}
      {found?.outputs.map(one => (
        <Output one={one} />
      ))}
      {!!found?.more && <p class="left-out">{counted(found.more, "more output")}</p>}
    </details>
  );
}

function Output({ one }: { one: OutputDocument }) {
  if (one.kind === "image") return <img src={one.text} alt="A picture that the cell made" />;
  if (one.kind === "other") return <p class="left-out">Not shown here: {one.text || "something else"}</p>;
  return (
    <pre tabIndex={0}>
      <Lines text={one.text} />
      {!!one.cut && <span class="left-out">{counted(one.cut, "more character")}</span>}
    </pre>
  );
}

function kilobytes(size: number): string {
  return size < 1024 ? counted(size, "character") : `${grouped(Math.round(size / 1024))} KB`;
}
