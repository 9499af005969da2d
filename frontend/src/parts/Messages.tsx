/** Short messages, and the words for a screen reader. */

import { announcement, dismiss, messages } from "../state/messages";
import { visible } from "../rules/visible";
import { Button } from "./Button";
import { Shown } from "./Shown";

export function Messages() {
  return (
    <>
      {/* Read out as they come, apart from the words about the place: these would take theirs. */}
      <section class="messages" role="log" aria-label="Messages">
        {messages.value.map(message => (
          <div key={message.number} class={`message ${message.tone}`}>
            <span class="message-text">
              <Shown text={message.text} />
              {message.detail && (
                <small>
                  <Shown text={message.detail} />
                </small>
              )}
            </span>
            {message.act && <Button label={message.act.label} onClick={message.act.run} />}
            <Button label="Dismiss" icon="reject" bare onClick={() => dismiss(message.number)} />
          </div>
        ))}
      </section>
      <div class="unshown" role="status" aria-live="polite">
        {visible(announcement.value)}
      </div>
    </>
  );
}
