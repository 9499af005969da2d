/** Says so when the server is gone, or is another one now. */

import { person } from "../hub/state";
import { connection } from "../state/project";

export function ConnectionBanner() {
  if (connection.value === "live") return null;
  const server = person.value === null ? "workbench" : "hub";
  return (
    <div class="banner" role="status">
      {connection.value === "away" ? (
        `The ${server} does not answer. What is shown may be old. It is tried again by itself.`
      ) : person.value === null ? (
        "The workbench was started again. Open the address that blueline ui printed; then this page goes on."
      ) : (
        <span>
          This browser is not signed in any more. <a href="/">Sign in</a>; then this page goes on.
        </span>
      )}
    </div>
  );
}
