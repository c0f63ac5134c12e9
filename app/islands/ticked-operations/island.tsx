import { takeValues } from "./take-values";

/**
 * Ticks groups in the browser, and shows on the buttons how many tests they create. Between two of many steps it
 * submits the form automatically.
 */
export function hydrate(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  if ("goesOn" in form.dataset) {
    form.requestSubmit(form.querySelector("button"));
    return;
  }
  const boxesIn = (part: Element) => [...part.querySelectorAll<HTMLInputElement>('input[name="operation"]')];

  function count(): void {
    const ticked = boxesIn(form).filter(({ checked }) => checked).length;
    const tests = `${ticked.toLocaleString("en")} ${ticked === 1 ? "test" : "tests"}`;
    for (const button of form.querySelectorAll<HTMLButtonElement>("button[data-counted]")) {
      // Its text is next to its icon.
      button.lastChild!.textContent = `${button.dataset.counted} ${tests}`;
      button.disabled = ticked === 0;
    }
  }

  takeValues(form);
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-ticks]");
    if (!button) return;
    event.preventDefault();
    for (const box of boxesIn(button.closest("[data-group]")!)) box.checked = button.dataset.ticks === "all";
    count();
  });
  form.addEventListener("change", count);
  // Going back restores ticks once the page is shown.
  window.addEventListener("pageshow", count);
  count();
}
