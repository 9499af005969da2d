/** A file that is not text. A picture is shown as it was and as it is. */

import { useState } from "preact/hooks";
import { visible } from "../rules/visible";
import { imageAddress } from "../wire/client";
import type { FilePage } from "../wire/client";

const PICTURE = /\.(png|jpe?g|gif|webp)$/i;

export function BinaryContent({ page }: { page: FilePage }) {
  if (!PICTURE.test(page.path)) return <p class="empty">This is not text.</p>;
  return (
    <div class="pictures">
      <Picture page={page} side="baseline" title="Before" />
      <Picture page={page} side="live" title="After" />
    </div>
  );
}

interface Props {
  page: FilePage;
  side: "baseline" | "live";
  title: string;
}

function Picture({ page, side, title }: Props) {
  const address = imageAddress(page.path, side, page.revision ?? "");
  const [size, setSize] = useState("");
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <figure>
      <figcaption>
        {title} <span class="hint">{size}</span>
      </figcaption>
      {missing === address ? (
        <p class="empty">No picture that can be shown.</p>
      ) : (
        <img
          src={address}
          alt={`${title}: ${visible(page.path)}`}
          onLoad={event => {
            const { naturalWidth, naturalHeight } = event.currentTarget;
            setSize(`${naturalWidth} × ${naturalHeight}`);
          }}
          onError={() => setMissing(address)}
        />
      )}
    </figure>
  );
}
