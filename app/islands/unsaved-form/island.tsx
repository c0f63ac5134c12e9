import { changedFields } from "../typed-before";

/**
 * Makes the browser confirm before a form's changes are lost, also those from before this script was there. A form
 * returned with errors counts as changed.
 */
export function hydrate(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const startsUnsaved = form.querySelector("[aria-invalid=true]") !== null;
  let isSent = false;
  form.addEventListener("submit", () => {
    isSent = true;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isSent && (startsUnsaved || changedFields(form).length > 0)) event.preventDefault();
  });
  // Back from another page: what was sent then can have been changed since.
  window.addEventListener("pageshow", () => {
    isSent = false;
  });
}
