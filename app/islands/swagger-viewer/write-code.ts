import { changedFields } from "../typed-before";

/** Delay in milliseconds that skips most intermediate letters: the server generates the code. */
const pauseMilliseconds = 300;

/** Keeps the code sample in step with the typed values. */
export function writeCode(form: HTMLFormElement, address: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requested: AbortController | undefined;

  async function write() {
    requested?.abort();
    requested = new AbortController();
    const body = new URLSearchParams();
    // Of a file the code needs the name only.
    for (const [name, value] of new FormData(form)) body.append(name, value instanceof File ? value.name : value);
    body.set("intent", "code");
    try {
      const response = await fetch(address, { method: "POST", body, signal: requested.signal });
      if (response.ok && !response.redirected) takeCode(await response.text());
    } catch {
      // The user typed on, or the browser is offline: the code stays as it was.
    }
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void write(), pauseMilliseconds);
  });
  // Typed or chosen before this script loaded.
  const files = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")];
  if (changedFields(form).length > 0 || files.some(({ value }) => value)) void write();
}

function takeCode(markup: string): void {
  const made = new DOMParser().parseFromString(markup, "text/html");
  for (const there of made.querySelectorAll("[id^=code-][id$=-text]")) {
    const here = document.getElementById(there.id);
    if (here) here.innerHTML = there.innerHTML;
  }
}
