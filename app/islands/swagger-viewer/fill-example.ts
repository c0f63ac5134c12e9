/** Takes the code and body from the page with this example, and leaves all other fields as they are. */
export function fillExample(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement)) return;
  const said = form.querySelector<HTMLElement>("[data-filled]");
  let requested: AbortController | undefined;

  form.addEventListener("change", async () => {
    requested?.abort();
    requested = new AbortController();
    const address = new URL(form.action);
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value));
    try {
      const response = await fetch(address, { signal: requested.signal, headers: { accept: "text/html" } });
      if (!response.ok || response.redirected) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const there of page.querySelectorAll<HTMLElement>("#send-body, #send-mediaType, [id^=code-][id$=-text]")) {
        const here = document.getElementById(there.id);
        if (!here) continue;
        if ("value" in here && "value" in there) here.value = there.value;
        else here.innerHTML = there.innerHTML;
      }
      // The code is generated again with the other typed values.
      document.getElementById("send-body")?.dispatchEvent(new Event("input", { bubbles: true }));
      if (said) said.hidden = false;
    } catch {
      // Another example was picked, or the browser is offline: the button next to it loads the page.
    }
  });
}
