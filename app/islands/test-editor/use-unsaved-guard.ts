import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Warns before unsaved changes are lost: links open a dialog in the page, everything else (closing the tab, going back)
 * the browser's.
 * @param startsUnsaved the server returned the page with typed values, so it differs from the stored test from the start.
 */
export function useUnsavedGuard(form: RefObject<HTMLFormElement>, startsUnsaved: boolean) {
  const [leaving, setLeaving] = useState<string>();
  const free = useRef(false);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const before = getContent(element);
    const isUnsaved = () => !free.current && (startsUnsaved || getContent(element) !== before);

    function askBrowser(event: BeforeUnloadEvent) {
      if (isUnsaved()) event.preventDefault();
    }
    function askInPage(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const elsewhere =
        event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
      if (!link?.href || elsewhere || link.target || staysOnPage(link) || !isUnsaved()) return;
      event.preventDefault();
      setLeaving(link.href);
    }
    function letGo(event: SubmitEvent) {
      // Row changes and sending stay on the page and prevent the submission. Other forms of the page, such as the
      // choice of an
      // environment, do not include the values of this one.
      const takesAlong = event.target instanceof HTMLFormElement && isOfPage(event.target);
      if (!event.defaultPrevented && takesAlong) free.current = true;
    }
    window.addEventListener("beforeunload", askBrowser);
    document.addEventListener("click", askInPage);
    // After React's own listener, which is on the island's element.
    document.addEventListener("submit", letGo);
    return () => {
      window.removeEventListener("beforeunload", askBrowser);
      document.removeEventListener("click", askInPage);
      document.removeEventListener("submit", letGo);
    };
  }, [form, startsUnsaved]);

  return {
    leaving,
    stay: () => setLeaving(undefined),
    leave: () => {
      free.current = true;
    },
  };
}

function staysOnPage(link: HTMLAnchorElement): boolean {
  return link.pathname === location.pathname && link.search === location.search && link.hash !== "";
}

function isOfPage(form: HTMLFormElement): boolean {
  return new URL(form.getAttribute("action") ?? "", location.href).pathname === location.pathname;
}

const carried = new Set(["trial", "sections", "__state__"]);

/** The submission without the fields that only the page uses. */
function getContent(form: HTMLFormElement): string {
  const entries = [...new FormData(form)]
    .filter(([name]) => !carried.has(name))
    .map(([name, value]) => [name, typeof value === "string" ? value : [value.name, value.size]]);
  return JSON.stringify(entries);
}
