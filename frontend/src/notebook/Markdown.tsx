/** Markdown, drawn without any HTML of its own. Addresses are shown, not followed. */

import { Shown } from "../parts/Shown";
import { Lines } from "./Lines";
import { type Block, type Inline, parsed } from "./parsing";

/** Longer texts are shown as they are written. */
const LONGEST = 100_000;

export function Markdown({ source }: { source: string }) {
  if (source.length > LONGEST)
    return (
      <pre class="cell-source">
        <Lines text={source} />
      </pre>
    );
  return (
    <div class="markdown">
      {parsed(source).map(block => (
        <Drawn block={block} />
      ))}
    </div>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <p class={`md-heading level-${block.level}`} role="heading" aria-level={Math.min(block.level + 2, 6)}>
          <Line inlines={block.inlines} />
        </p>
      );
    case "code":
      return (
        <pre>
          <Lines text={block.text} />
        </pre>
      );
    case "rule":
      return <hr />;
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List>
          {block.items.map(item => (
            <li>
              <Line inlines={item} />
            </li>
          ))}
        </List>
      );
    }
    case "quote":
      return (
        <blockquote>
          <Line inlines={block.inlines} />
        </blockquote>
      );
    default:
      return (
        <p>
          <Line inlines={block.inlines} />
        </p>
      );
  }
}

const TAGS = { code: "code", strong: "strong", emphasis: "em" } as const;

function Line({ inlines }: { inlines: Inline[] }) {
  return (
    <>
      {inlines.map(one => {
        if (one.kind === "text") return <Shown text={one.text} />;
        if (one.kind === "link")
          return (
            <span class="md-link">
              <Shown text={one.text} /> (<Shown text={one.address} />)
            </span>
          );
        const Tag = TAGS[one.kind];
        return (
          <Tag>
            <Shown text={one.text} />
          </Tag>
        );
      })}
    </>
  );
}
