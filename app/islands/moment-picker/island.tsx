/** Opens the browser's calendar for a field of text, and writes what is chosen into it. */
export function hydrate(element: HTMLElement): void {
  const [text, native] = element.querySelectorAll("input");
  const button = element.querySelector("button");
  if (!text || !native || !button || !("showPicker" in native)) return;
  button.parentElement!.hidden = false;
  button.addEventListener("click", () => {
    const typed = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)$/.exec(text.value.trim());
    native.value = typed ? `${typed[1]}T${typed[2]}` : "";
    native.showPicker();
  });
  native.addEventListener("input", () => {
    if (!native.value) return;
    text.value = native.value.slice(0, 16).replace("T", " ");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
