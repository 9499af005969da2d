/** What the notebook view asks the server for. */

import { get, post } from "../wire/client";
import type { CellMergedDocument, OutputsDocument } from "../wire/contract";

export const outputs = (path: string, cell: number) =>
  get<OutputsDocument>("/api/outputs", { path, cell: String(cell) });

export const saveCell = (path: string, cell: string, base: string, source: string) =>
  post<CellMergedDocument>("/api/save-cell", { path, cell, base, source });
