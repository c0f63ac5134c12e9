import { fillExample } from "./fill-example";
import { filterWhileTyping } from "./filter-while-typing";
import { sendWithoutReload } from "./send-without-reload";

const parts: Record<string, ((element: HTMLElement) => void) | undefined> = {
  filter: filterWhileTyping,
  example: fillExample,
  send: sendWithoutReload,
};

/**
 * The viewer's live parts. All put markup made by the server in place, the same that a page without script shows,
 * so neither React nor a second description of the markup is sent.
 */
export function hydrate(element: HTMLElement): void {
  parts[element.dataset.part ?? ""]?.(element);
}
