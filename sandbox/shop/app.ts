import { setTimeout as pause } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { describeShop } from "./document.ts";
import { createStock, type Product, type Stock } from "./stock.ts";

/** The accounts that may sign in; the document publishes them. */
export const account = { username: "example", password: "stationery" };

/** The parameters of `GET /reports/sales`. */
const reportMilliseconds = 1_500;
/** The product whose price is text while the shop has its problems. */
export const wrongProduct = "p-7";

const productInput = z.object({
  name: z.string().min(1).max(200),
  price: z.number().min(0),
  category: z.string().min(1).max(40),
  inStock: z.number().int().min(0).default(0),
});
const quantityInput = z.object({ quantity: z.number().int().min(1).max(99) });
const orderInput = z.object({ basketId: z.string(), address: z.string().min(1).max(500) });
const addressInput = z.object({ address: z.string().min(1).max(500) });
const loginInput = z.object({ username: z.string(), password: z.string() });

function refuse(status: 401 | 404 | 422 | 500, message: string): never {
  throw new HTTPException(status, { message });
}

async function read<Value>(c: Context, schema: z.ZodType<Value>): Promise<Value> {
  const given = schema.safeParse(await c.req.json().catch(() => undefined));
  return given.success ? given.data : refuse(422, given.error.issues.map(({ message }) => message).join(". "));
}

export interface ShopOptions {
  /** The shop's address, for its document; read at every request, since the port may be known late. */
  base(): string;
  /** Whether it breaks two of its promises: a price that is text, and a 500 instead of a 404. */
  hasProblems(): boolean;
}

/**
 * A small shop for a portal to test: it follows its OpenAPI document at `/openapi.json` except in two points, and
 * one response is slow. It has no dependency on the portal.
 */
export function createShop(options: ShopOptions): Hono {
  const stock = createStock();
  const app = new Hono();
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 500;
    return c.json(
      { status, message: error instanceof HTTPException ? error.message : "Something went wrong." },
      status,
    );
  });
  app.notFound((c) => c.json({ status: 404, message: "No such address." }, 404));
  app.get("/openapi.json", (c) => c.json(describeShop(options.base(), account)));
  app.post("/login", async (c) => {
    const { username, password } = await read(c, loginInput);
    if (username !== account.username || password !== account.password) refuse(401, "No such account.");
    const token = stock.tokens.put({ id: stock.makeId("token") }).id;
    return c.json({ token, expiresInSeconds: 3_600 });
  });
  serveProducts(app, stock, options);
  serveBaskets(app, stock);
  serveOrders(app, stock, options);
  return app;
}

/** The path of what was created, also where the shop is not at the root of its host. */
const locationOf = (base: string, path: string) => new URL(base).pathname.replace(/\/$/, "") + path;

function requireToken(c: Context, { tokens }: Stock): void {
  const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
  if (!token || !tokens.get(token)) refuse(401, "Sign in first.");
}

function serveProducts(app: Hono, stock: Stock, { base, hasProblems }: ShopOptions): void {
  const { products } = stock;
  const find = (c: Context) => products.get(c.req.param("productId") ?? "") ?? refuse(404, "No such product.");
  const show = (product: Product) =>
    product.id === wrongProduct && hasProblems() ? { ...product, price: product.price.toFixed(2) } : product;
  app.get("/products", (c) => {
    const word = (c.req.query("search") ?? "").toLowerCase();
    const [page, size] = [Number(c.req.query("page") ?? 1), Number(c.req.query("size") ?? 5)];
    const isWhole = Number.isInteger(page) && Number.isInteger(size);
    if (!isWhole || page < 1 || size < 1 || size > 50) refuse(422, "Pages begin at 1 and hold up to 50 products.");
    const found = products.all().filter(({ name, category }) => `${name} ${category}`.toLowerCase().includes(word));
    const items = found.slice((page - 1) * size, page * size).map(show);
    return c.json({ items, page, pages: Math.ceil(found.length / size), total: found.length });
  });
  app.get("/products/:productId", (c) => c.json(show(find(c))));
  app.post("/products", async (c) => {
    requireToken(c, stock);
    const product = products.put({ id: stock.makeId("p"), ...(await read(c, productInput)) });
    c.header("location", locationOf(base(), `/products/${product.id}`));
    return c.json(product, 201);
  });
  app.put("/products/:productId", async (c) => {
    requireToken(c, stock);
    return c.json(products.put({ id: find(c).id, ...(await read(c, productInput)) }));
  });
  app.delete("/products/:productId", (c) => {
    requireToken(c, stock);
    products.remove(find(c).id);
    return c.body(null, 204);
  });
}

function serveBaskets(app: Hono, stock: Stock): void {
  const { baskets, products } = stock;
  const find = (c: Context) => baskets.get(c.req.param("basketId") ?? "") ?? refuse(404, "No such basket.");
  app.post("/baskets", (c) => {
    requireToken(c, stock);
    return c.json(baskets.put({ id: stock.makeId("b"), lines: [] }), 201);
  });
  app.get("/baskets/:basketId", (c) => {
    requireToken(c, stock);
    return c.json(find(c));
  });
  app.put("/baskets/:basketId/products/:productId", async (c) => {
    requireToken(c, stock);
    const [basket, productId] = [find(c), c.req.param("productId")];
    if (!products.get(productId)) refuse(404, "No such product.");
    const { quantity } = await read(c, quantityInput);
    const others = basket.lines.filter((line) => line.productId !== productId);
    return c.json(baskets.put({ ...basket, lines: [...others, { productId, quantity }] }));
  });
  app.delete("/baskets/:basketId", (c) => {
    requireToken(c, stock);
    baskets.remove(find(c).id);
    return c.body(null, 204);
  });
}

function serveOrders(app: Hono, stock: Stock, { base, hasProblems }: ShopOptions): void {
  const { orders, baskets } = stock;
  // Its second broken promise: the document says 404.
  const find = (c: Context) =>
    orders.get(c.req.param("orderId") ?? "") ??
    (hasProblems() ? refuse(500, "Something went wrong.") : refuse(404, "No such order."));
  app.get("/orders", (c) => {
    requireToken(c, stock);
    const all = orders.all();
    return c.json({ items: all.slice(-20).reverse(), total: all.length });
  });
  app.post("/orders", async (c) => {
    requireToken(c, stock);
    const { basketId, address } = await read(c, orderInput);
    const basket = baskets.get(basketId) ?? refuse(422, "No such basket.");
    if (basket.lines.length === 0) refuse(422, "The basket is empty.");
    const { lines } = basket;
    const order = orders.put({ id: stock.makeId("o"), lines, total: stock.total(lines), address, status: "placed" });
    baskets.remove(basketId);
    c.header("location", locationOf(base(), `/orders/${order.id}`));
    return c.json(order, 201);
  });
  app.get("/orders/:orderId", (c) => {
    requireToken(c, stock);
    return c.json(find(c));
  });
  app.patch("/orders/:orderId", async (c) => {
    requireToken(c, stock);
    return c.json(orders.put({ ...find(c), ...(await read(c, addressInput)) }));
  });
  app.delete("/orders/:orderId", (c) => {
    requireToken(c, stock);
    orders.put({ ...find(c), status: "cancelled" });
    return c.body(null, 204);
  });
  app.get("/reports/sales", async (c) => {
    requireToken(c, stock);
    await pause(reportMilliseconds);
    const placed = orders.all().filter(({ status }) => status === "placed");
    return c.json({ orders: placed.length, revenue: placed.reduce((sum, { total }) => sum + total, 0) });
  });
}
