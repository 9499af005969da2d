/** A button with a name, and the key that does the same. */

import type { ComponentChildren } from "preact";
import { type Need, isAllowed, needOf } from "../hub/allowed";
import { keysFor } from "../keys/bindings";
import { Icon, type IconName } from "./Icon";

interface Props {
  label: string;
  onClick: (event: MouseEvent) => void;
  icon?: IconName;
  /** The command whose key is shown in the tooltip. */
  command?: string;
  /** Only the icon is drawn; the label is still read out. */
  bare?: boolean;
  tone?: "plain" | "accept" | "reject" | "main";
  pressed?: boolean;
  disabled?: boolean;
  /** Where that may not be done there is no button. What accepts, rejects or has a command says so by that. */
  needs?: Need;
  children?: ComponentChildren;
}

export function Button(props: Props) {
  const { label, icon, command, bare = false, tone = "plain", pressed, disabled = false } = props;
  const isDecision = tone === "accept" || tone === "reject";
  if (!isAllowed(props.needs ?? needOf(command) ?? (isDecision ? "decide" : undefined))) return null;
  const keys = command ? keysFor(command) : "";
  return (
    <button
      type="button"
      class={`button ${tone} ${bare ? "bare" : ""}`}
      title={keys ? `${label} (${keys})` : label}
      aria-label={bare ? label : undefined}
      aria-pressed={pressed}
      aria-keyshortcuts={keys && !keys.includes(" ") ? keys.replace("Ctrl", "Control") : undefined}
      disabled={disabled}
      onClick={props.onClick}
    >
      {icon && <Icon name={icon} />}
      {!bare && <span>{props.children ?? label}</span>}
    </button>
  );
}
