/**
 * Ticks circles in the browser, and shows on the buttons how many they create. Between two of many steps it submits the
 * form automatically.
 */
export function hydrate(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  if ("goesOn" in form.dataset) {
    form.requestSubmit(form.querySelector("button"));
    return;
  }
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="circle"]')];

  function count(): void {
    // Of what is made only invalid requests are left.
    if (boxes.length === 0) return;
    const ticked = boxes.filter(({ checked }) => checked).length;
    const circles = `${ticked.toLocaleString("en")} ${ticked === 1 ? "circle" : "circles"}`;
    for (const button of form.querySelectorAll<HTMLButtonElement>("button[data-counted]")) {
      // Its text is next to its icon.
      button.lastChild!.textContent = `${button.dataset.counted} ${circles}`;
      button.disabled = ticked === 0;
    }
  }

  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-ticks]");
    if (!button) return;
    event.preventDefault();
    for (const box of boxes) box.checked = button.dataset.ticks === "tick-safe" && "safe" in box.dataset;
    count();
  });
  form.addEventListener("change", count);
  // Going back restores ticks once the page is shown.
  window.addEventListener("pageshow", count);
  count();
}
