import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { account, createShop } from "../../../sandbox/shop/app.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { readJson } from "../require-ok.ts";

/** The example that comes with the portal, with its two problems. */
export const shop: MeasuredServer = {
  name: "example shop",
  async start() {
    let origin = "";
    const app = createShop({ base: () => origin, hasProblems: () => true });
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const body = JSON.stringify(account);
    const { token } = await readJson<{ token: string }>(await fetch(`${origin}/login`, { method: "POST", body }));
    const document = await (await fetch(`${origin}/openapi.json`)).text();
    return {
      origin,
      documentFor: (address) => document.replaceAll(origin, address),
      credentials: [{ type: "bearer", settings: {}, secret: token, schemeName: "bearer" }],
      knownDrifts: [
        { operation: "get /products", reason: /number/, words: "a price that is text" },
        { operation: "get /orders/{orderId}", reason: /500/, words: "500 instead of 404" },
      ],
      async readState() {
        const products = await readJson<{ items: { id: string }[] }>(await fetch(`${origin}/products?size=50`));
        return new Map(products.items.map((product) => [`product ${product.id}`, JSON.stringify(product)]));
      },
      async stop() {
        if ("closeAllConnections" in server) server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      },
    };
  },
};
