/**
 * Pages are documents and stay as served; only marked islands are hydrated. A page without islands loads no script but
 * this file: the page names the file that hydrates an island, and that file imports React.
 */

function whenVisible(element: HTMLElement, start: () => void) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    start();
  });
  observer.observe(element);
}

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const start = () => import(/* @vite-ignore */ element.dataset.src!).then((module) => module.hydrate(element));
  if (element.dataset.when === "visible") whenVisible(element, start);
  else if (element.dataset.when === "idle" && "requestIdleCallback" in window) requestIdleCallback(start);
  else start();
}

// Going back while a page fades into the next one skips the rest of the fade, which is no error.
for (const type of ["pageswap", "pagereveal"] as const) {
  addEventListener(type, ({ viewTransition }) => {
    void Promise.allSettled([viewTransition?.ready, viewTransition?.finished, viewTransition?.updateCallbackDone]);
  });
}

// The search dialog and the other keys of every page are loaded when they are wanted.
const finder = document.querySelector<HTMLElement>("[data-palette]");
if (finder) {
  const { palette, keys } = finder.dataset as { palette: string; keys: string };
  const press = (event: Event) => {
    const { key, ctrlKey, metaKey, defaultPrevented } = event as KeyboardEvent;
    const isTyping = (event.target as Element).closest("input,textarea,select,[contenteditable]");
    if (key && (defaultPrevented || (ctrlKey || metaKey ? key !== "k" : isTyping || !keys.includes(key)))) return;
    event.preventDefault();
    import(/* @vite-ignore */ palette).then((module) => module.press(key));
  };
  finder.addEventListener("click", press);
  addEventListener("keydown", press);
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.copy ?? "")?.textContent;
    if (text) void navigator.clipboard.writeText(text);
  });
}

/**
 * A choice that other fields depend on submits its form by the button next to it. With the keyboard it submits on blur,
 * since arrow keys pass through choices without choosing.
 */
for (const select of document.querySelectorAll<HTMLSelectElement>("select[data-submits]")) {
  const button = document.getElementById(select.dataset.submits ?? "") as HTMLButtonElement | null;
  const send = () => select.form?.requestSubmit(button);
  let byKey = false;
  select.addEventListener("keydown", () => {
    byKey = true;
  });
  select.addEventListener("pointerdown", () => {
    byKey = false;
  });
  select.addEventListener("change", () => {
    if (byKey) select.addEventListener("blur", send, { once: true });
    else send();
  });
}

// A live region is announced when it changes, not when it arrives with the page, so its text is inserted again.
for (const message of document.querySelectorAll("[data-toast]")) {
  const content = [...message.childNodes];
  message.replaceChildren();
  // Long enough for assistive technology to notice the empty region, short enough not to be visible.
  setTimeout(() => message.replaceChildren(...content), 50);
}

// A dialog opened by markup is not modal: until it closes, nothing outside it may take the focus.
for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) {
  const beside: HTMLElement[] = [];
  for (let inner: Element = dialog; inner !== document.body; inner = inner.parentElement!) {
    for (const other of inner.parentElement!.children as unknown as HTMLElement[]) {
      if (other !== inner && !other.matches("[inert],[data-above-dialogs]")) beside.push(other);
    }
  }
  const hold = () => {
    for (const element of beside) element.inert = dialog.open;
  };
  hold();
  // Marks the dialog for the styles, which would do the same without script.
  dialog.dataset.alone = "";
  // Not in its event, which browsers delay until the next frame: keys pressed meanwhile would be lost.
  new MutationObserver(hold).observe(dialog, { attributeFilter: ["open"] });
}

/** A declined choice is not stored, so the banner would appear on every page: this tab at least remembers it. */
function rememberDecline() {
  const address = new URL(location.href);
  try {
    if (address.searchParams.get("cookies") === "declined") {
      sessionStorage.setItem("cookies", "declined");
      address.searchParams.delete("cookies");
      history.replaceState(null, "", address);
    }
    if (sessionStorage.getItem("cookies")) document.getElementById("cookie-banner")?.remove();
  } catch {
    // A browser that blocks all storage shows the banner again.
  }
}
rememberDecline();

/** The time zone of moments and days is known to the browser only. Once it is sent, pages no longer request it. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (document.documentElement.hasAttribute("data-asks-time-zone")) {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `timeZone=${encodeURIComponent(timeZone)}; path=/; max-age=2592000; samesite=lax`;
}
// With the press that accepts cookies, so that the next page has it already.
for (const { form } of document.querySelectorAll<HTMLButtonElement>("[data-accepts-cookies]")) {
  form?.append(Object.assign(document.createElement("input"), { type: "hidden", name: "timeZone", value: timeZone }));
}
