import { type RefObject, useEffect } from "react";

/** Sends along which sections are open, so that they are so again on the page that comes back. */
export function useOpenSections(form: RefObject<HTMLFormElement>) {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    function remember() {
      const field = element?.elements.namedItem("sections");
      if (!(field instanceof HTMLInputElement)) return;
      const open = element?.querySelectorAll("details[data-section][open]") ?? [];
      field.value = [...open].map(({ id }) => id).join(" ");
    }
    remember();
    // It does not bubble.
    element.addEventListener("toggle", remember, true);
    return () => element.removeEventListener("toggle", remember, true);
  }, [form]);
}
