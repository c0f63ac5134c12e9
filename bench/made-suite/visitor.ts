import { FormPage } from "../../tests/support/form-page.ts";
import type { RunningPortal } from "../../tests/support/portal-process.ts";

/** A browser without script: addresses, links, forms and cookies, over HTTP. */
export interface Visitor {
  /** Opens an address and follows redirects. */
  open(address: string): Promise<FormPage>;
}

/** Signs in with the form. */
export async function signInWithForm(portal: RunningPortal): Promise<Visitor> {
  const cookies = new Map<string, string>();
  async function send(address: string, options: RequestInit = {}): Promise<FormPage> {
    const url = new URL(address, portal.origin);
    const headers = new Headers({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    if (options.method === "POST") headers.set("origin", portal.origin);
    const response = await fetch(url, { ...options, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next) return await send(new URL(next, url).href);
    return new FormPage(url, response.status, response.headers, await response.text(), send);
  }
  const login = await send("/login");
  await login.submit("log in", { username: portal.username, password: portal.password });
  return { open: (address) => send(address) };
}
