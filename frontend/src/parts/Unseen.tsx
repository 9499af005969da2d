/** Says which files of a decision were never opened. */

import { counted } from "../rules/counting";
import { Shown } from "./Shown";

const MOST = 8;

export function Unseen({ files }: { files: readonly string[] }) {
  if (!files.length) return null;
  return (
    <div class="unseen-files">
      <p>
        It includes <strong>{counted(files.length, "file")} you have not opened</strong>:
      </p>
      <ul class="dependents">
        {files.slice(0, MOST).map(path => (
          <li key={path}>
            <Shown text={path} />
          </li>
        ))}
        {files.length > MOST && <li>and {files.length - MOST} more</li>}
      </ul>
    </div>
  );
}
