/** A component of the page inside the text. */

import { WidgetType } from "@codemirror/view";
import { type ComponentType, h, render } from "preact";

const drawnBy = new WeakMap<HTMLElement, ComponentType<never>>();

export class Part<Props extends object> extends WidgetType {
  constructor(
    private readonly component: ComponentType<Props>,
    private readonly props: Props,
    /** What it shows, in short: the same name, the same drawing. */
    private readonly name: string,
    private readonly height: number,
  ) {
    super();
  }

  override eq(other: Part<Props>): boolean {
    return this.component === other.component && this.name === other.name;
  }

  override get estimatedHeight(): number {
    return this.height;
  }

  override toDOM(): HTMLElement {
    const box = document.createElement("div");
    box.className = "part";
    drawnBy.set(box, this.component as ComponentType<never>);
    render(h(this.component, this.props), box);
    return box;
  }

  /** Draws into what is there, so that a button that has the focus keeps it. */
  override updateDOM(box: HTMLElement): boolean {
    if (drawnBy.get(box) !== (this.component as ComponentType<never>)) return false;
    render(h(this.component, this.props), box);
    return true;
  }

  override destroy(box: HTMLElement): void {
    render(null, box);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
