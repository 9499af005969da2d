/** A notebook that cannot be shown as cells: its text, and why. */

import { Shown } from "../parts/Shown";
import { TextContent } from "../parts/TextContent";
import type { FilePage } from "../wire/client";

export function AsText({ page }: { page: FilePage }) {
  return (
    <>
      <p class="as-text" role="note">
        This notebook is shown as text: <Shown text={page.as_text ?? ""} />.
      </p>
      <TextContent page={page} />
    </>
  );
}
