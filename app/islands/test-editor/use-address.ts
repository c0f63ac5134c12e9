import { type RefObject, useEffect, useState } from "react";
import type { EditorReply, RequestAddress } from "~/features/test-editor/editor-props";

/** A pause in typing, in milliseconds. */
const pauseMilliseconds = 600;

/**
 * The address of the request, resolved by the server after each pause in typing, since it knows variables and
 * encodings.
 */
export function useAddress(
  form: RefObject<HTMLFormElement>,
  sendAddress: string,
  first: RequestAddress | undefined,
): RequestAddress | undefined {
  const [address, setAddress] = useState(first);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let requested: AbortController | undefined;

    async function ask() {
      requested?.abort();
      requested = new AbortController();
      const body = new FormData(element ?? undefined);
      body.set("then", "resolve");
      body.delete("trial");
      // The address does not depend on a file's bytes.
      for (const [name, value] of [...body]) if (typeof value !== "string") body.set(name, value.name);
      try {
        const headers = { accept: "application/json" };
        const response = await fetch(sendAddress, { method: "POST", body, headers, signal: requested.signal });
        if (response.ok && !response.redirected) setAddress(((await response.json()) as EditorReply).address);
      } catch {
        // The last address is displayed until the next pause.
      }
    }
    /** Typed, or a row added or removed. */
    function wait() {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), pauseMilliseconds);
    }
    // Filled by the server, as from a cURL command.
    if (!first && !element.querySelector("fieldset:disabled")) void ask();
    element.addEventListener("input", wait);
    element.addEventListener("submit", wait);
    return () => {
      clearTimeout(timer);
      requested?.abort();
      element.removeEventListener("input", wait);
      element.removeEventListener("submit", wait);
    };
  }, [form, sendAddress, first]);

  return address;
}
