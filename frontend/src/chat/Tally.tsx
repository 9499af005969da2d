/** How often what each agent did was rejected, tool by tool. */

import { useEffect, useState } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { Shown } from "../parts/Shown";
import { overview } from "../state/project";
import type { ToolTallyDocument } from "../wire/contract";
import { tally } from "./wire";

export function Tally() {
  const [rows, setRows] = useState<ToolTallyDocument[]>([]);
  const version = overview.value?.version;
  useEffect(() => {
    tally().then(found => setRows(found.tally), fail);
  }, [version]);
  if (!rows.length) return null;
  return (
    <details class="taken-back">
      <summary>Rejected: {rows.reduce((sum, row) => sum + row.rejected, 0)}</summary>
      <table>
        <thead>
          <tr>
            {["Agent", "Tool", "Edits", "Accepted", "Rejected", "Undecided"].map(name => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={`${row.agent} ${row.tool}`}>
              <td>
                <Shown text={row.agent} />
              </td>
              <td>
                <Shown text={row.tool} />
              </td>
              <td>{row.edits}</td>
              <td>{row.accepted}</td>
              <td>{row.rejected}</td>
              <td>{row.pending}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
