import { fillExample } from "./fill-example";
import { filterWhileTyping } from "./filter-while-typing";
import { sendWithoutReload } from "./send-without-reload";

const parts: Record<string, ((element: HTMLElement) => void) | undefined> = {
  filter: filterWhileTyping,
  example: fillExample,
  send: sendWithoutReload,
};

/**
 * The interactive parts of the viewer. All insert markup rendered by the server, the same that a page without script
 * shows, so neither React nor a second rendering of it is sent.
 */
export function hydrate(element: HTMLElement): void {
  parts[element.dataset.part ?? ""]?.(element);
}
