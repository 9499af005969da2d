/** What an agent proposes: not in the file until somebody applies it. */

import { useEffect, useState } from "preact/hooks";
import { open } from "../acts/opening";
import { fail } from "../acts/refreshing";
import { decideHunk } from "../acts/wishing";
import { Button } from "../parts/Button";
import { DiffLines } from "../parts/DiffLines";
import { Shown } from "../parts/Shown";
import * as server from "../wire/client";
import type { HunkEntry, WhyDocument } from "../wire/contract";

export function Proposal({ hunk }: { hunk: HunkEntry }) {
  const [shown, setShown] = useState<WhyDocument | null>(null);
  useEffect(() => {
    server.hunk(hunk.id).then(setShown, fail);
  }, [hunk.id, hunk.digest]);
  const reason = String(shown?.about["reason"] ?? "");
  return (
    <section class="proposal" aria-label="Proposal">
      <p>
        Proposal for{" "}
        <button type="button" class="link" onClick={() => void open(hunk.path, { hunk: hunk.id })}>
          <Shown text={`${hunk.path}:${hunk.new_start}`} />
        </button>
        {reason && ": "}
        <Shown text={reason} />
      </p>
      {shown && (
        <DiffLines
          old={shown.old ?? ""}
          now={shown.new ?? ""}
          oldStart={hunk.old_start}
          newStart={hunk.new_start}
        />
      )}
      <div class="permission-verbs">
        <Button label="Accept" tone="accept" icon="accept" onClick={() => void decideHunk("accept", hunk)} />
        <Button label="Reject" tone="reject" icon="reject" onClick={() => void decideHunk("reject", hunk)} />
      </div>
    </section>
  );
}
