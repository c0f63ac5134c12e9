/**
 * Pages are documents and stay as they came; only marked islands come alive. This file is all the script of a page
 * without islands: which file brings an island alive the page itself says, and React is imported by that file.
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

// Where a row of pages scrolls, the page that one is on may be out of sight.
for (const current of document.querySelectorAll("nav [aria-current]")) {
  for (const row of [current.closest("ul"), current.closest("nav")]) {
    if (row)
      row.scrollLeft += current.getBoundingClientRect().left - row.getBoundingClientRect().left - row.clientWidth / 3;
  }
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.copy ?? "")?.textContent;
    if (text) void navigator.clipboard.writeText(text);
  });
}

/**
 * A choice that other fields depend on sends its form by the button beside it. By keyboard it does so when it is left:
 * going through the choices is no choosing yet.
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

// A live region is read out when it changes, not when the page brings it along: so what it says is put in once more.
for (const message of document.querySelectorAll("[data-toast]")) {
  const content = [...message.childNodes];
  message.replaceChildren();
  // Long enough for the empty region to be noticed, short enough not to be seen.
  setTimeout(() => message.replaceChildren(...content), 50);
}

// A dialog that is open with its page is not modal by itself: until it closes, nothing beside it takes the focus.
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
  // Tells the styles, which would do the same without script.
  dialog.dataset.alone = "";
  // Not its event, which browsers keep back until the next frame: keys pressed meanwhile would be lost.
  new MutationObserver(hold).observe(dialog, { attributeFilter: ["open"] });
}

/** A declined choice is stored nowhere, so the banner would ask on every page: at least this tab remembers. */
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
    // A browser that blocks all storage goes on asking.
  }
}
rememberDecline();

/** In whose days a page with trends counts, only the browser knows. Once it is said, pages no longer ask. */
if (document.documentElement.hasAttribute("data-asks-time-zone")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `timeZone=${encodeURIComponent(timeZone)}; path=/; max-age=2592000; samesite=lax`;
}
