/** Says so when the server is gone, or is another one now. */

import { connection } from "../state/project";

export function ConnectionBanner() {
  if (connection.value === "live") return null;
  return (
    <div class="banner" role="status">
      {connection.value === "away"
        ? "The workbench does not answer. What is shown may be old. It is tried again by itself."
        : "The workbench was started again. Open the address that blueline ui printed; then this page goes on."}
    </div>
  );
}
