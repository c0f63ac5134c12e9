/**
 * Of a form whose checkboxes are the rows of a list (`data-ticks` is their name): ticks all rows or a range of them, and
 * says how many are ticked. Which of the form's parts are visible is up to its styles.
 */
export function hydrate(element: HTMLElement): void {
  const form = element as HTMLFormElement;
  const { ticks, one, many } = form.dataset;
  const boxes = [...form.elements].filter(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && field.name === ticks && field.type === "checkbox",
  );
  const all = form.querySelector<HTMLInputElement>("[data-all]")!;
  const count = form.querySelector<HTMLElement>("[data-count]")!;
  let last: HTMLInputElement | undefined;

  function show(): void {
    const ticked = boxes.filter(({ checked }) => checked).length;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    count.textContent = ticked === 0 ? "" : `${ticked} ${ticked === 1 ? one : many} selected`;
  }

  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const box of boxes) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last) {
        const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
        for (const between of boxes.slice(from, to! + 1)) between.checked = box.checked;
      }
      last = box;
      show();
    });
  }
  // Going back restores ticks once the page is shown.
  window.addEventListener("pageshow", show);
  show();
}
