import { type RefObject, useEffect, useState } from "react";

/** Label of the modifier key; undefined until the script listens. */
export type ModifierKey = "Ctrl" | "⌘" | undefined;

/**
 * Ctrl+Enter sends, Ctrl+S saves, with the command key on a Mac; only while the focus is in the form. Single letters
 * are left to screen readers, which use them for navigation.
 */
export function useShortcuts(form: RefObject<HTMLFormElement>): ModifierKey {
  const [modifier, setModifier] = useState<ModifierKey>();

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const isMac = /^(Mac|iP)/.test(navigator.platform);
    setModifier(isMac ? "⌘" : "Ctrl");

    function press(event: KeyboardEvent) {
      const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
      const isOurs = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
      const then = { Enter: "send", s: "save" }[key];
      if (!isOurs || altKey || shiftKey || !then) return;
      const button = element?.querySelector<HTMLButtonElement>(`[name=then][value=${then}]:not([aria-hidden])`);
      if (!button) return;
      event.preventDefault();
      // The JSON editor would insert a line break.
      event.stopPropagation();
      if (!event.repeat && !button.disabled) element?.requestSubmit(button);
    }
    element.addEventListener("keydown", press, true);
    return () => element.removeEventListener("keydown", press, true);
  }, [form]);

  return modifier;
}
