import { type RefObject, useEffect } from "react";

/** Sends the open sections with the form, so that they are open on the returned page. */
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
    // The event does not bubble.
    element.addEventListener("toggle", remember, true);
    return () => element.removeEventListener("toggle", remember, true);
  }, [form]);
}
