import * as styles from "~/features/search/palette.css";
import { href } from "~/href";
import { closeButton, openDialog } from "./dialog";

/** Long enough to skip intermediate letters, short enough to seem immediate. */
const pauseMilliseconds = 150;
/** After this time a slow search is announced. */
const slowMilliseconds = 600;

const markup = `
  <form action="${href("/search")}" role="search" class="${styles.head}">
    <input name="query" type="text" class="${styles.field}" role="combobox" aria-label="Search" aria-autocomplete="list"
      aria-expanded="false" aria-controls="palette-results" autocomplete="off" autocapitalize="off" spellcheck="false"
      maxlength="200" placeholder="Search APIs, operations, tests…">
    ${closeButton}
  </form>
  <div id="palette-results" role="listbox" aria-label="Results" class="${styles.results}"></div>
  <div class="${styles.foot}">
    <span role="status">Type to search.</span>
    <span>↑ ↓ to choose, Enter to open</span>
  </div>`;

/**
 * The search dialog: a combobox whose listbox shows the results while the user types. Only the last search is shown. As
 * long as there is none for what was typed, Enter leads to the page of results.
 */
export function showPalette(): void {
  const dialog = openDialog("Search", markup);
  const field = dialog.querySelector("input")!;
  const list = dialog.querySelector<HTMLElement>("[role=listbox]")!;
  const status = dialog.querySelector<HTMLElement>("[role=status]")!;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requested: AbortController | undefined;
  /** What the listbox has results of. */
  let shown = "";

  function choose(option: HTMLElement | undefined) {
    for (const one of options()) one.setAttribute("aria-selected", String(one === option));
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  function show(query: string, found: string, says: string) {
    shown = query;
    list.innerHTML = found;
    status.textContent = list.querySelector<HTMLElement>("[data-says]")?.dataset.says ?? says;
    field.setAttribute("aria-expanded", String(options().length > 0));
    choose(options()[0]);
    list.scrollTop = 0;
  }

  async function search(query: string) {
    requested?.abort();
    if (!query) return show("", "", "Type to search.");
    requested = new AbortController();
    const { signal } = requested;
    const slow = setTimeout(() => {
      status.textContent = "Searching…";
    }, slowMilliseconds);
    try {
      const response = await fetch(href("/search/suggestions", { query }), { signal });
      if (!response.ok || response.redirected) throw new Error(response.statusText);
      show(query, await response.text(), "");
    } catch {
      if (!signal.aborted) show("", "", "The search failed. Check your connection, or press Enter to try again.");
    } finally {
      clearTimeout(slow);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(field.value.trim()), pauseMilliseconds);
  });
  field.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const chosen = all[at];
    if (event.key === "ArrowDown") choose(all[(at + 1) % all.length]);
    else if (event.key === "ArrowUp") choose(all.at(at - 1));
    else if (event.key === "Enter" && chosen && shown === field.value.trim() && !event.isComposing) chosen.click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    requested?.abort();
  });
  field.focus();
}
