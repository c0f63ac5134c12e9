/**
 * Pages are documents and stay as served; only marked islands are hydrated. A page without islands loads no script but
 * this file: the page names the file that hydrates an island, and that file imports React. At most 0.8 KB as it is sent.
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

// Copy buttons, selects that submit their form, toasts and dialogs: on few pages.
if (document.querySelector("[data-copy],[data-submits],[data-toast],dialog[open]")) {
  import(/* @vite-ignore */ document.documentElement.dataset.parts!);
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
