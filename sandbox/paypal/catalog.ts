import type { Hono } from "hono";
import { showPlan, showProduct } from "./present.ts";
import { notThere, unprocessable } from "./refusal.ts";
import { makeId, once, readBody, requirePlan, type Sandbox } from "./sandbox.ts";
import { type Plan, type Product, plan, planInput, pricingInput, product, productInput } from "./shapes.ts";

/** Products and plans: `/v1/catalogs/products`, `/v1/billing/plans`. */
export function serveCatalog(app: Hono, { documents, clock, places }: Sandbox): void {
  app.post("/v1/catalogs/products", async (c) => {
    const input = await readBody(c, productInput);
    const { status, body } = await documents.change((opened) =>
      once(c, opened, async () => {
        const id = input.id ?? makeId("PROD-", 17);
        if (await opened.find("product", product, id))
          throw unprocessable("DUPLICATE_RESOURCE_IDENTIFIER", "A product with this id exists.");
        const time = clock.now().toISOString();
        const made: Product = { ...input, id, create_time: time, update_time: time };
        await opened.put("product", id, made);
        return { status: 201, body: showProduct(made, places().base) };
      }),
    );
    return c.json(body as object, status);
  });

  app.get("/v1/catalogs/products/:id", async (c) => {
    const found = await documents.change((opened) => opened.find("product", product, c.req.param("id")));
    if (!found) throw notThere();
    return c.json(showProduct(found, places().base));
  });

  app.get("/v1/catalogs/products", async (c) => {
    const products = await documents.change((opened) => opened.list("product", product));
    const displayed = products.map((one) => showProduct(one, places().base));
    return c.json({ products: displayed, total_items: displayed.length, total_pages: 1 });
  });

  app.post("/v1/billing/plans", async (c) => {
    const input = await readBody(c, planInput);
    const { status, body } = await documents.change((opened) =>
      once(c, opened, async () => {
        if (!(await opened.find("product", product, input.product_id))) throw notThere();
        if (!input.billing_cycles.some(({ tenure_type }) => tenure_type === "REGULAR"))
          throw unprocessable("INVALID_BILLING_CYCLE_SEQUENCE", "A plan has a regular billing cycle.");
        const time = clock.now().toISOString();
        const made: Plan = { ...input, id: makeId("P-", 24), create_time: time, update_time: time };
        await opened.put("plan", made.id, made);
        return { status: 201, body: showPlan(made, places().base) };
      }),
    );
    return c.json(body as object, status);
  });

  app.get("/v1/billing/plans", async (c) => {
    const ofProduct = c.req.query("product_id");
    const plans = await documents.change((opened) => opened.list("plan", plan));
    const displayed = plans
      .filter(({ product_id }) => !ofProduct || product_id === ofProduct)
      .map((one) => showPlan(one, places().base));
    return c.json({ plans: displayed, total_items: displayed.length, total_pages: 1 });
  });

  app.get("/v1/billing/plans/:id", async (c) => {
    const found = await documents.change((opened) => requirePlan(opened, c.req.param("id")));
    return c.json(showPlan(found, places().base));
  });

  for (const [act, status] of [
    ["activate", "ACTIVE"],
    ["deactivate", "INACTIVE"],
  ] as const) {
    app.post(`/v1/billing/plans/:id/${act}`, async (c) => {
      await documents.change(async (opened) => {
        const found = await requirePlan(opened, c.req.param("id"));
        await opened.put("plan", found.id, { ...found, status, update_time: clock.now().toISOString() });
      });
      return c.body(null, 204);
    });
  }

  app.post("/v1/billing/plans/:id/update-pricing-schemes", async (c) => {
    const { pricing_schemes } = await readBody(c, pricingInput);
    await documents.change(async (opened) => {
      const found = await requirePlan(opened, c.req.param("id"));
      const billing_cycles = found.billing_cycles.map((cycle) => {
        const next = pricing_schemes.find(({ billing_cycle_sequence }) => billing_cycle_sequence === cycle.sequence);
        if (!next) return cycle;
        const version = (cycle.pricing_scheme?.version ?? 0) + 1;
        return { ...cycle, pricing_scheme: { ...next.pricing_scheme, version } };
      });
      await opened.put("plan", found.id, { ...found, billing_cycles, update_time: clock.now().toISOString() });
    });
    return c.body(null, 204);
  });
}
