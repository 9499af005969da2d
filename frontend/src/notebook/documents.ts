/** What the server sends of a notebook. */

export type CellState = "same" | "edited" | "added" | "deleted" | "moved";

export interface CellDocument {
  /** Empty if it has none. */
  id: string;
  type: string;
  /** From one, as the notebook is on disk; zero for one that is not there. */
  index: number;
  /** How many characters its outputs take. */
  outputs: number;
  state: CellState;
  /** Ids of what is pending in it. */
  hunks: string[];
  /** As agreed, and were everything accepted; null on a side where there is no such cell. */
  old: string | null;
  new: string | null;
  /** As it is on disk. */
  live: string | null;
}

export interface OutputDocument {
  kind: "text" | "image" | "other";
  /** The text, the address of the picture, or which kinds there are. */
  text: string;
  /** How many characters were left out. */
  cut?: number;
}

export interface OutputsDocument {
  outputs: OutputDocument[];
  more: number;
}

export interface CellSaved {
  source: string;
  version: number;
  merged: boolean;
}
