/** Delay in milliseconds, long enough to skip intermediate letters, short enough to seem immediate. */
const pauseMilliseconds = 150;

/** Updates the search results while the user types; announces their number after a pause. */
export function filterWhileTyping(element: HTMLElement): void {
  const field = element.querySelector<HTMLInputElement>("input[type=search]");
  const list = element.querySelector<HTMLElement>("[data-list]");
  const found = element.querySelector<HTMLElement>("[data-found]");
  const { address } = element.dataset;
  if (!field || !list || !found || !address) return;
  keepPlace(element.parentElement, list);
  showCurrent(element.parentElement, list.querySelector("[aria-current=page]"));
  let opened: string | undefined;
  async function takeUp(group: HTMLDetailsElement) {
    await openGroup(group);
    if (group.dataset.group) opened = carryOpened(list!);
  }
  // The event does not bubble.
  list.addEventListener("toggle", ({ target }) => void takeUp(target as HTMLDetailsElement), { capture: true });
  // The attribute, not the value: the user may have typed before this script loaded.
  const initial = { query: field.defaultValue.trim(), markup: list.innerHTML };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requested: AbortController | undefined;

  async function show(query: string) {
    requested?.abort();
    requested = new AbortController();
    if (query === initial.query) {
      list!.innerHTML = initial.markup;
      found!.hidden = true;
      opened = undefined;
      return;
    }
    const url = new URL(address!, location.href);
    url.searchParams.set("query", query);
    if (opened !== undefined) url.searchParams.set("open", opened);
    try {
      const response = await fetch(url, { signal: requested.signal, headers: { accept: "text/html" } });
      if (!response.ok || response.redirected) return;
      list!.innerHTML = await response.text();
      const count = response.headers.get("x-operation-count") ?? "0";
      found!.hidden = false;
      found!.textContent = query ? `${count} ${count === "1" ? "operation" : "operations"} found` : "";
    } catch {
      // The user typed on, or the browser is offline: the form still searches when it is sent.
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(field.value.trim()), pauseMilliseconds);
  });
  if (field.value.trim() !== initial.query) void show(field.value.trim());
  // Toggled before this script loaded: an open group comes with its rows, a closed one without.
  for (const group of list.querySelectorAll("details"))
    if (group.open === Boolean(group.dataset.rows)) void takeUp(group);
}

/** Loads the rows of a group when it is first opened; until then, or offline, a link in it leads to them. */
async function openGroup(group: HTMLDetailsElement): Promise<void> {
  if (!group.open || !group.dataset.rows) return;
  const address = group.dataset.rows;
  delete group.dataset.rows;
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return;
    const focused = document.activeElement;
    const markup = await response.text();
    const link = group.querySelector(":scope > a");
    if (!link) return;
    const hadFocus = link === focused;
    link.outerHTML = markup;
    if (hadFocus) group.querySelector<HTMLElement>("li a")?.focus();
  } catch {
    group.dataset.rows = address;
  }
}

/** Adds the open groups to every link within the reference, so that they are open on the next page too. */
function carryOpened(list: HTMLElement): string {
  const opened = [...list.querySelectorAll<HTMLElement>("details[data-group][open]")].map(
    ({ dataset }) => dataset.group!,
  );
  const reference = location.pathname.split("/", 4).join("/");
  // Except links to a fragment of this page, which would reload it.
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`a[href^="${reference}"]`)) {
    const own = link.closest<HTMLElement>("details[data-group]:not([open])")?.dataset.group;
    const address = new URL(link.href);
    const groups = own ? [...opened, own] : opened;
    if (groups.length > 0) address.searchParams.set("open", groups.join(","));
    else address.searchParams.delete("open");
    link.href = address.pathname + address.search + address.hash;
  }
  return opened.join(",");
}

/** Keeps the list's scroll position from one operation to the next. */
function keepPlace(frame: HTMLElement | null, list: HTMLElement): void {
  const key = `reference ${location.pathname.split("/")[2]}`;
  const stored = Number(sessionStorage.getItem(key));
  if (frame && stored) frame.scrollTop = stored;
  list.addEventListener("click", () => {
    if (frame) sessionStorage.setItem(key, String(frame.scrollTop));
  });
}

/** Scrolls the frame to the open operation; `scrollIntoView` would scroll the page as well. */
function showCurrent(frame: HTMLElement | null, current: Element | null): void {
  if (!frame || !current) return;
  const [outer, inner] = [frame.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top) frame.scrollTop += inner.top - outer.top - outer.height / 3;
  if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
}
