import { resolve } from "node:path";
import { loadPages } from "../../server/pages.ts";
import { FormPage } from "./form-page.ts";
import { type HandledServices, openHandledServices, portalOrigin as origin } from "./handled-services.ts";

/** A visitor without a browser: addresses, links and forms, and a cookie jar. */
export interface Visitor {
  /** Opens an address and follows redirects. */
  open(address: string): Promise<FormPage>;
  /** Sends a form that need not be on any page of the visitor's. */
  post(address: string, values: Record<string, string> | [string, string][]): Promise<FormPage>;
  /** Names of the stored cookies. */
  cookies(): string[];
  /** Removes one, as a browser does with an expired one. */
  lose(cookie: RegExp): void;
  /** A visitor with a copy of the current cookies. */
  copied(): Visitor;
}

export interface HandledPortal extends Omit<HandledServices, "open"> {
  visit(userAgent?: string): Visitor;
  /** The administrator, who has signed in with the form and opens this page first. */
  signIn(first?: string): Promise<Visitor>;
}

/**
 * The built pages and every service in this process, called as functions: the responses of loaders and actions, with a
 * real database and real mail, and neither a browser nor a port.
 * @param environment additional variables, such as for a remote service
 */
export async function openHandledPortal(environment: Record<string, string> = {}): Promise<HandledPortal> {
  const [{ open, ...services }, pages] = await Promise.all([
    openHandledServices(environment),
    loadPages(resolve("build/server/index.js")),
  ]);
  const portal = open(pages);

  function visit(userAgent = "visitor/1.0", cookies = new Map<string, string>()): Visitor {
    async function send(address: string, options: RequestInit = {}): Promise<FormPage> {
      const url = new URL(address, origin);
      const headers = new Headers(options.headers);
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
      headers.set("user-agent", userAgent);
      if (options.method === "POST") headers.set("origin", origin);
      const request = new Request(url, { ...options, headers });
      const response = await portal(request, { clientAddress: "192.0.2.1", viaTrustedProxy: false });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const next = response.headers.get("location");
      if (next) return await send(new URL(next, url).href);
      return new FormPage(url, response.status, response.headers, await response.text(), send);
    }
    return {
      open: (address) => send(address),
      post: (address, values) => send(address, { method: "POST", body: new URLSearchParams(values) }),
      cookies: () => [...cookies.keys()],
      lose: (lost) => {
        for (const name of cookies.keys()) if (lost.test(name)) cookies.delete(name);
      },
      copied: () => visit(userAgent, new Map(cookies)),
    };
  }
  return {
    ...services,
    visit: (userAgent) => visit(userAgent),
    async signIn(first = "/dashboard") {
      const visitor = visit();
      const login = await visitor.open(`/login?redirectTo=${encodeURIComponent(first)}`);
      await login.submit("log in", services.administrator);
      return visitor;
    },
  };
}
