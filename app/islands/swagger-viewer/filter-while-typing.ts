/** Long enough to skip the letters in between, short enough to feel at once. */
const pauseMilliseconds = 150;

/** Answers the search while somebody types; says how many were found once they pause. */
export function filterWhileTyping(element: HTMLElement): void {
  const field = element.querySelector<HTMLInputElement>("input[type=search]");
  const list = element.querySelector<HTMLElement>("[data-list]");
  const found = element.querySelector<HTMLElement>("[data-found]");
  const { address } = element.dataset;
  if (!field || !list || !found || !address) return;
  showCurrent(element.parentElement, list.querySelector("[aria-current=page]"));
  // The attribute, not the value: somebody may have typed before this script came.
  const initial = { query: field.defaultValue.trim(), markup: list.innerHTML };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;

  async function show(query: string) {
    asked?.abort();
    asked = new AbortController();
    if (query === initial.query) {
      list!.innerHTML = initial.markup;
      found!.hidden = true;
      return;
    }
    const url = new URL(address!, location.href);
    url.searchParams.set("query", query);
    try {
      const answer = await fetch(url, { signal: asked.signal, headers: { accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      list!.innerHTML = await answer.text();
      const count = answer.headers.get("x-operation-count") ?? "0";
      found!.hidden = false;
      found!.textContent = query
        ? `${count.replace("+", " or more")} ${count === "1" ? "operation" : "operations"} found`
        : "";
    } catch {
      // Typed on, or offline: the form still searches when it is sent.
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(field.value.trim()), pauseMilliseconds);
  });
  if (field.value.trim() !== initial.query) void show(field.value.trim());
}

/** Scrolls the frame to the operation that is open; `scrollIntoView` would move the page as well. */
function showCurrent(frame: HTMLElement | null, current: Element | null): void {
  if (!frame || !current) return;
  const [outer, inner] = [frame.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
}
