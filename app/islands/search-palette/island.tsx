import { awaitPlace } from "./await-place";

/**
 * What a key of every page does; `entry.client.ts` imports this file when one is pressed for the first time. The
 * dialogs come with their styles, which no page has.
 * @param key undefined for a press on the search field
 */
export async function press(key?: string): Promise<void> {
  if (key === "g") return awaitPlace();
  if (document.querySelector("dialog[open]")) return;
  const { showKeys, showPalette } = await import("./dialogs");
  await (key === "?" ? showKeys() : showPalette());
}
