/** How the content of an open file is shown, by its kind: another one is one import and one line. */

import type { ComponentType } from "preact";
import type { FilePage } from "../wire/client";
import { AsText } from "../notebook/AsText";
import { NotebookContent } from "../notebook/NotebookContent";
import { BinaryContent } from "./BinaryContent";
import { TextContent } from "./TextContent";

type Content = ComponentType<{ page: FilePage }>;

/** What is not named here is shown as a text. */
const CONTENTS: Partial<Record<FilePage["kind"], Content>> = {
  binary: BinaryContent,
  notebook: NotebookContent,
};

export function contentOf(page: FilePage): Content {
  return CONTENTS[page.kind] ?? (page.as_text ? AsText : TextContent);
}
