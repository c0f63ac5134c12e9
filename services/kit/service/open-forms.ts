import type { IncomingMessage } from "node:http";
import type { Hono } from "hono";
import type { Contract, Operation } from "../contract/operation.ts";
import { clientAddressOf } from "./client-address.ts";
import type { RunningService } from "./running-service.ts";

export interface OpenForms {
  /** As in `security-service`: its calls are served at `/api/security-service`. */
  name: string;
  contract: Contract;
  service: RunningService;
  /** By which the service believes the address that stands beside it. */
  issueToken(): Promise<string>;
  trustedProxies: string[];
}

const isOpenForm = ({ method, access }: Operation) => method === "post" && access === "public";

/**
 * Serves what anybody may send to a service: whoever signs in or sends a form without the portal is told apart by the
 * peer's address, as the portal's visitors are. To be called before the service is mounted.
 */
export function serveOpenForms(root: Hono<{ Bindings: { incoming: IncomingMessage } }>, forms: OpenForms): void {
  for (const { path } of Object.values(forms.contract).filter(isOpenForm)) {
    root.post(`/api/${forms.name}${path}`, async (c) => {
      const headers = new Headers(c.req.raw.headers);
      headers.set("authorization", `Bearer ${await forms.issueToken()}`);
      headers.set("x-client-address", clientAddressOf(c.env.incoming, forms.trustedProxies));
      headers.delete("x-user-agent");
      const { body } = c.req.raw;
      return await forms.service.app.fetch(
        new Request(`http://service.internal${path}`, { method: "POST", headers, body, duplex: "half" }),
      );
    });
  }
}
