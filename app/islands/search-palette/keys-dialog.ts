import * as styles from "~/features/search/palette.css";
import { href } from "~/href";
import { closeButton, openDialog } from "./dialog";

/** The list of keys. */
export async function showKeys(): Promise<void> {
  const dialog = openDialog(
    "Keys",
    `<div class="${styles.head}"><h2 class="${styles.title}">Keys</h2>${closeButton}</div>
    <div class="${styles.body}" tabindex="0" aria-busy="true">Loading…</div>`,
  );
  const body = dialog.querySelector<HTMLElement>(`.${styles.body}`)!;
  try {
    const response = await fetch(href("/search/suggestions", { keys: true }));
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    body.innerHTML = await response.text();
  } catch {
    body.textContent = "The keys could not be loaded. Check your connection and try again.";
  }
  body.removeAttribute("aria-busy");
}
