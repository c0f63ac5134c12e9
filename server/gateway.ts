import type { Contract, Operation } from "../services/kit/contract/operation.ts";
import { clientAddressOf } from "../services/kit/service/client-address.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import { portalServiceContract } from "../services/portal-service/contract/contract.ts";
import { securityServiceContract } from "../services/security-service/contract/contract.ts";
import type { ServiceName } from "./configuration.ts";
import type { Root } from "./http.ts";
import type { Wiring } from "./wiring.ts";

const withOpenForms: [ServiceName, Contract][] = [
  ["security-service", securityServiceContract],
  ["portal-service", portalServiceContract],
];

/** The public API: every service at `/api/<its name>`, without the calls that only services make. */
export function servePublicApi(root: Root, wiring: Wiring, trustedProxies: string[]): void {
  for (const [name, contract] of withOpenForms) {
    const service = wiring.services.get(name);
    if (service)
      serveOpenForms(root, { name, contract, service, issueToken: () => wiring.portalToken(), trustedProxies });
  }
  for (const [name, { app }] of wiring.services) {
    // Calls between services never come in from outside.
    root.all(`/api/${name}/internal/*`, (c) => c.notFound());
    root.on(["POST", "PUT", "DELETE"], `/api/${name}/*`, async (c) => {
      const url = new URL(c.req.url);
      url.pathname = url.pathname.slice(`/api/${name}`.length);
      const headers = new Headers(c.req.raw.headers);
      // What is changed is recorded with the address it was changed from.
      headers.set("x-client-address", clientAddressOf(c.env.incoming, trustedProxies));
      headers.set("x-client-address-voucher", `Bearer ${await wiring.portalToken()}`);
      const { method, body, signal } = c.req.raw;
      return await app.fetch(new Request(url, { method, headers, body, signal, duplex: "half" }));
    });
    root.mount(`/api/${name}`, app.fetch);
  }
  root.all("/api/*", (c) => c.notFound());
}

interface OpenForms {
  name: ServiceName;
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
function serveOpenForms(root: Root, forms: OpenForms): void {
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
