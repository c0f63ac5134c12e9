import { Button, LinkButton } from "~/ui/button/button";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./test-editor.css";
import type { ModifierKey } from "./use-shortcuts.ts";

export interface EditorActionsProps {
  mayRun: boolean;
  sending: boolean;
  /** There is a response, which is many tab stops away. */
  answered: boolean;
  cancelHref: string;
  /** The test exists already, so it can be deleted. */
  stored: boolean;
  modifier: ModifierKey;
}

/** The actions on the form. */
export function EditorActions({ mayRun, sending, answered, cancelHref, stored, modifier }: EditorActionsProps) {
  const key = modifier ?? "Ctrl";
  return (
    <div className={styles.actions}>
      {mayRun && (
        <>
          <Button name="then" value="send" icon="arrow-right" busy={sending} title="Sends the request without saving">
            {sending ? "Sending" : "Send"}
          </Button>
          <Button name="then" value="run" icon="play">
            Save and run
          </Button>
        </>
      )}
      <Button variant="primary" name="then" value="save">
        Save
      </Button>
      {answered && (
        <LinkButton href="#response" variant="quiet">
          See response
        </LinkButton>
      )}
      <LinkButton href={cancelHref} variant="quiet">
        Cancel
      </LinkButton>
      {stored && (
        <Button name="then" value="ask-delete" variant="quiet" icon="trash" className={styles.last}>
          Delete
        </Button>
      )}
      {/* Rendered from the start: inserted later it would move the buttons away from under the pointer. */}
      <p className={joinClasses(styles.keys, !modifier && styles.unheard)}>
        {mayRun && (
          <>
            <kbd>{key}+Enter</kbd> sends,{" "}
          </>
        )}
        <kbd>{key}+S</kbd> saves
      </p>
    </div>
  );
}
