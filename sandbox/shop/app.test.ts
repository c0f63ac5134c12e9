import { expect, test } from "vitest";
import { account, createShop, wrongProduct } from "./app.ts";
import { describeShop } from "./document.ts";

const open = (hasProblems: boolean) =>
  createShop({ base: () => "http://shop.example", hasProblems: () => hasProblems });

async function signIn(shop: ReturnType<typeof open>): Promise<{ authorization: string }> {
  const response = await shop.request("/login", { method: "POST", body: JSON.stringify(account) });
  return { authorization: `Bearer ${(await response.json()).token}` };
}

test("the shop documents each of its sixteen operations", () => {
  const { paths } = describeShop("http://shop.example", account);
  const operations = Object.values(paths).flatMap((item) => Object.values(item).filter((one) => "operationId" in one));
  expect(operations).toHaveLength(16);
});

test("a price is text and an unknown order a 500 only while the shop has its problems", async () => {
  for (const [hasProblems, type, status] of [
    [false, "number", 404],
    [true, "string", 500],
  ] as const) {
    const shop = open(hasProblems);
    expect(typeof (await (await shop.request(`/products/${wrongProduct}`)).json()).price).toBe(type);
    expect((await shop.request("/orders/o-unknown", { headers: await signIn(shop) })).status).toBe(status);
  }
});

test("the items of a basket are ordered, found, redirected and cancelled", async () => {
  const shop = open(true);
  const headers = await signIn(shop);
  const send = (method: string, path: string, body?: unknown) =>
    shop.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { id: basketId } = await (await send("POST", "/baskets")).json();
  await send("PUT", `/baskets/${basketId}/products/p-1`, { quantity: 2 });
  const placed = await send("POST", "/orders", { basketId, address: "1 Paper Lane" });
  const order = await placed.json();
  expect(placed.status).toBe(201);
  expect(order.total).toBe(9);
  expect((await (await send("GET", "/orders")).json()).items).toContainEqual(order);
  expect((await (await send("PATCH", `/orders/${order.id}`, { address: "2 Paper Lane" })).json()).address).toBe(
    "2 Paper Lane",
  );
  expect((await send("DELETE", `/orders/${order.id}`)).status).toBe(204);
  expect((await (await send("GET", `/orders/${order.id}`)).json()).status).toBe("cancelled");
});

test("without a token nothing is changed", async () => {
  const shop = open(false);
  for (const [method, path] of [
    ["POST", "/products"],
    ["DELETE", "/products/p-1"],
    ["POST", "/baskets"],
    ["GET", "/orders"],
  ]) {
    expect((await shop.request(path!, { method })).status).toBe(401);
  }
});
