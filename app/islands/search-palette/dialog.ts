import * as styles from "~/features/search/palette.css";

/** An open modal dialog, removed when it is closed. Escape closes it, and the focus returns to where it was. */
export function openDialog(label: string, markup: string): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = styles.dialog;
  dialog.setAttribute("aria-label", label);
  dialog.innerHTML = markup;
  const before = document.activeElement as HTMLElement | null;
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus();
  });
  // A click on the backdrop has the dialog itself as its target.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target as Element).matches("[data-close]")) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export const closeButton = `<button type="button" class="${styles.close}" data-close>Close</button>`;
