/**
 * What the person types, and what others write meanwhile. The text that both sides last agreed on is kept; what
 * was typed since is carried over whatever arrives, and what arrives is carried around what was typed.
 */

import {
  Annotation,
  ChangeSet,
  type EditorState,
  type Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { changesBetween } from "../rules/changes";

/** Marks what was not typed here. */
const fromElsewhere = Annotation.define<boolean>();

export class Typing {
  /** The text that the server has, as far as is known here. */
  private agreed: Text;
  /** From there to what is in the editor. */
  private typed: ChangeSet;
  /** What is under way to the server; it comes before `typed`. */
  private sent: ChangeSet | null = null;

  constructor(state: EditorState) {
    this.agreed = state.doc;
    this.typed = ChangeSet.empty(state.doc.length);
  }

  get isUnsaved(): boolean {
    return this.sent !== null || !this.typed.empty;
  }

  get isSending(): boolean {
    return this.sent !== null;
  }

  /** The text that what was typed starts from. */
  get base(): Text {
    return this.agreed;
  }

  /** All that was typed since, whether it is under way or not. */
  get pending(): ChangeSet {
    return this.sent ? this.sent.compose(this.typed) : this.typed;
  }

  /** Takes note of what happened in the editor; whether any of it was typed. */
  observe(transactions: readonly Transaction[]): boolean {
    const own = transactions.filter(one => one.docChanged && !one.annotation(fromElsewhere));
    for (const transaction of own) this.typed = this.typed.compose(transaction.changes);
    return own.length > 0;
  }

  /** What was typed goes to the server; anything typed from now on comes after it. */
  send(doc: Text): void {
    this.sent = this.typed;
    this.typed = ChangeSet.empty(doc.length);
  }

  /** The server has it; it may have joined it with what others wrote. */
  arrived(): void {
    if (this.sent) this.agreed = this.sent.apply(this.agreed);
    this.sent = null;
  }

  /** The server does not have it: it is still to be sent. */
  returned(): void {
    if (this.sent) this.typed = this.sent.compose(this.typed);
    this.sent = null;
  }

  /** Somebody made this of the text that was agreed on: the changes that bring it into the editor. */
  receive(text: Text): TransactionSpec {
    const theirs = changesBetween(this.agreed, text);
    const changes = theirs.map(this.typed);
    this.agreed = text;
    this.typed = this.typed.map(theirs, true);
    return {
      changes,
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    };
  }

  /** Where the text differs from one that has arrived, in positions of what is in the editor. */
  touched(text: Text): { from: number; to: number }[] {
    const found: { from: number; to: number }[] = [];
    const { pending } = this;
    changesBetween(this.agreed, text).iterChangedRanges((from, to) => {
      found.push({ from: pending.mapPos(from, -1), to: pending.mapPos(to, 1) });
    });
    return found;
  }
}
