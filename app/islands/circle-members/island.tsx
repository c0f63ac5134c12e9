/**
 * Reorders members in the page: rows are dragged by their handles, and the buttons that move them need no request. The
 * order of the rows is what is sent, so only rows are moved, and the values in them are kept.
 */
export function hydrate(element: HTMLElement): void {
  const list = element.querySelector("ol");
  const notice = element.querySelector<HTMLElement>("[data-notice]");
  if (!list || !notice) return;
  const rows = () => [...list.children] as HTMLElement[];

  function settle(row: HTMLElement): void {
    const all = rows();
    for (const [index, one] of all.entries()) {
      one.querySelector("[data-number]")!.textContent = String(index + 1);
      for (const button of one.querySelectorAll<HTMLButtonElement>("button")) {
        const to = { up: index - 1, down: index + 1 }[button.dataset.move ?? ""];
        button.value = to === undefined ? `remove:${index}` : `move:${index}:${to}`;
        if (to !== undefined) button.disabled = to < 0 || to >= all.length;
      }
    }
    notice!.textContent = `${row.dataset.member} is now ${all.indexOf(row) + 1} of ${all.length}`;
  }

  /** Moved among members of another phase it takes that phase, as on the server. */
  function moveTo(row: HTMLElement, there: HTMLElement): void {
    const phase = (one: HTMLElement) => one.querySelector<HTMLSelectElement>("select[name=phase]")!;
    const isBelow = rows().indexOf(there) > rows().indexOf(row);
    phase(row).value = phase(there).value;
    if (isBelow) there.after(row);
    else there.before(row);
    settle(row);
  }

  list.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-move]");
    const row = button?.closest<HTMLElement>("li");
    if (!button || !row) return;
    const there = button.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
    if (!there) return;
    event.preventDefault();
    moveTo(row, there as HTMLElement);
    // At the end of the list the button has no effect.
    const next = button.disabled ? row.querySelector<HTMLButtonElement>("button[data-move]:not(:disabled)") : button;
    next?.focus();
  });

  let dragged: HTMLElement | undefined;
  for (const row of rows()) {
    const handle = row.querySelector<HTMLElement>("[data-handle]")!;
    handle.hidden = false;
    handle.addEventListener("pointerdown", () => {
      row.draggable = true;
    });
    handle.addEventListener("pointerup", () => {
      row.draggable = false;
    });
    row.addEventListener("dragstart", (event) => {
      dragged = row;
      row.dataset.dragged = "";
      event.dataTransfer?.setData("text/plain", row.dataset.member ?? "");
    });
    row.addEventListener("dragend", () => {
      row.draggable = false;
      delete row.dataset.dragged;
      dragged = undefined;
    });
    row.addEventListener("dragover", (event) => {
      if (dragged) event.preventDefault();
    });
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      if (dragged && dragged !== row) moveTo(dragged, row);
    });
  }
}
