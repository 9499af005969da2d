/** Text from outside: what does not print is drawn as its name, and no mark of direction reaches its neighbours. */

import { pieces } from "../rules/visible";

export function Shown({ text, class: name = "" }: { text: string; class?: string }) {
  return (
    <bdi class={name}>
      {pieces(text).map(piece => (piece.hidden ? <span class="unseen">{piece.text}</span> : piece.text))}
    </bdi>
  );
}
