/** Markdown, drawn without any HTML of its own. Addresses are shown, not followed, and no picture is loaded. */

import { useMemo } from "preact/hooks";

import { Shown } from "../parts/Shown";
import { ShownLines } from "../parts/ShownLines";
import { type Block, type Inline, type Item, blocks } from "./blocks";
import { Code } from "./Code";
import { grammars } from "./grammars";

/** Longer texts are shown as they are written. */
const LONGEST = 100_000;

export function Markdown({ source }: { source: string }) {
  const parser = source.length > LONGEST ? null : (grammars()?.markdownParser ?? null);
  const found = useMemo(() => parser && blocks(source, parser), [source, parser]);
  if (!found)
    return (
      <div class="markdown raw">
        <ShownLines text={source} />
      </div>
    );
  return (
    <div class="markdown">
      <Blocks blocks={found} />
    </div>
  );
}

function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <>
      {blocks.map((block, at) => (
        <Drawn block={block} key={at} />
      ))}
    </>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        // All on one level for those who hear the page: whoever wrote them did not know where they would stand.
        <p class={`md-heading level-${block.level}`} role="heading" aria-level={2}>
          <Inlines inlines={block.inlines} />
        </p>
      );
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "rule":
      return <hr />;
    case "list":
      return block.first === null ? (
        <ul>
          <Items items={block.items} />
        </ul>
      ) : (
        <ol start={block.first}>
          <Items items={block.items} />
        </ol>
      );
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "table":
      return <Table head={block.head} rows={block.rows} />;
    case "paragraph":
      return (
        <p>
          <Inlines inlines={block.inlines} />
        </p>
      );
  }
}

function Items({ items }: { items: Item[] }) {
  return (
    <>
      {items.map((item, at) => (
        <li key={at} class={item.done === null ? "" : "with-box"}>
          {item.done !== null && (
            <span aria-label={item.done ? "done" : "to do"}>{item.done ? "☑" : "☐"}</span>
          )}
          <Blocks blocks={item.blocks} />
        </li>
      ))}
    </>
  );
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at}>
                <Inlines inlines={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, at) => (
                <td key={at}>
                  <Inlines inlines={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TAGS = { strong: "strong", emphasis: "em", struck: "s" } as const;

function Inlines({ inlines }: { inlines: Inline[] }) {
  return (
    <>
      {inlines.map((one, at) => (
        <One one={one} key={at} />
      ))}
    </>
  );
}

function One({ one }: { one: Inline }) {
  switch (one.kind) {
    case "text":
      return <ShownLines text={one.text} />;
    case "code":
      return (
        <code>
          <Shown text={one.text} />
        </code>
      );
    case "break":
      return <br />;
    case "link":
    case "picture": {
      const isBare = one.inlines.length === 1 && textOf(one.inlines) === one.address;
      return (
        <span class="md-link">
          {one.kind === "picture" && "picture: "}
          {isBare || <Inlines inlines={one.inlines} />}
          {isBare ? <Shown text={one.address} /> : one.address && <Shown text={` (${one.address})`} />}
        </span>
      );
    }
    default: {
      const Tag = TAGS[one.kind];
      return (
        <Tag>
          <Inlines inlines={one.inlines} />
        </Tag>
      );
    }
  }
}

function textOf(inlines: Inline[]): string {
  return inlines.map(one => (one.kind === "text" ? one.text : "")).join("");
}
