import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createEgress } from "../egress/egress.ts";
import { startVaultServer, type VaultServer } from "./testing/vault-server.ts";
import { createVaultReader, type VaultReader, type VaultSource } from "./vault-kv.ts";

const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
let vault: VaultServer;
let reader: VaultReader;
let source: VaultSource;
beforeAll(async () => {
  vault = await startVaultServer();
});
beforeEach(() => {
  reader = createVaultReader({ egress, cacheMilliseconds: 0 });
  vault.requests.length = 0;
  vault.seal(false);
  vault.allow("hvs.good");
  const authentication = { kind: "token" as const, token: "hvs.good" };
  source = { address: vault.address, namespace: "team", mount: "kv/apps", authentication, pool: "o1" };
});
afterAll(async () => {
  await vault.close();
  await egress.close();
});

test("the current version is read with token and namespace, and a rotation is seen once the cache has ended", async () => {
  vault.put("kv/apps/data/shop/live", { api_key: "first\n", other: 1 });
  const wanted = { path: "shop/live", key: "api_key" };
  expect(await reader.read(source, wanted)).toEqual({ ok: true, value: "first" });
  expect(vault.requests).toEqual([
    { method: "GET", url: "/v1/kv/apps/data/shop/live", token: "hvs.good", namespace: "team" },
  ]);
  const caching = createVaultReader({ egress });
  expect(await caching.read(source, wanted)).toEqual({ ok: true, value: "first" });
  vault.put("kv/apps/data/shop/live", { api_key: "second" });
  expect(await caching.read(source, wanted)).toEqual({ ok: true, value: "first" });
  expect(await reader.read(source, wanted)).toEqual({ ok: true, value: "second" });
  const before = vault.requests.length;
  await Promise.all(Array.from({ length: 20 }, () => caching.read(source, wanted)));
  expect(vault.requests.length).toBe(before);
});

test("each failure is said in a sentence: not allowed, not found, deleted, sealed, no key, no text, not there", async () => {
  const failure = async (path: string, key = "api_key", from = source) => {
    const result = await reader.read(from, { path, key });
    return result.ok ? result.value : result.detail;
  };
  vault.allow("hvs.narrow", /data\/open$/);
  const narrow = { ...source, authentication: { kind: "token" as const, token: "hvs.narrow" } };
  expect(await failure("shop", "api_key", narrow)).toBe(
    `${vault.host} does not allow reading kv/apps/data/shop (403).`,
  );
  expect(await failure("nowhere")).toBe(`${vault.host} has no kv/apps/data/nowhere (404).`);
  vault.put("kv/apps/data/gone", { api_key: "x" });
  vault.put("kv/apps/data/gone", null);
  expect(await failure("gone")).toBe("The newest version of kv/apps/data/gone is deleted.");
  vault.put("kv/apps/data/shop", { number: 5, empty: "", api_key: "found" });
  expect(await failure("shop", "token")).toBe("kv/apps/data/shop has no key token.");
  expect(await failure("shop", "constructor")).toBe("kv/apps/data/shop has no key constructor.");
  expect(await failure("shop", "number")).toBe("The value of number in kv/apps/data/shop is not text.");
  expect(await failure("shop", "empty")).toBe("The value of empty in kv/apps/data/shop is empty.");
  vault.seal(true);
  expect(await failure("shop")).toBe(`${vault.host} is sealed or in maintenance (503).`);
  // A failure is not kept.
  vault.seal(false);
  expect(await failure("shop")).toBe("found");
  const closed = await startVaultServer();
  await closed.close();
  expect(await failure("shop", "api_key", { ...source, address: closed.address })).toContain(
    `${closed.host} can't be asked. The connection was refused`,
  );
});

test("an AppRole logs in once, again when its token is refused, and a wrong one is said", async () => {
  vault.put("kv/apps/data/shop", { api_key: "found" });
  const authentication = { kind: "appRole" as const, roleId: vault.role.id, secretId: vault.role.secretId };
  const role = { ...source, authentication };
  const wanted = { path: "shop", key: "api_key" };
  for (let read = 0; read < 3; read += 1) expect(await reader.read(role, wanted)).toEqual({ ok: true, value: "found" });
  expect(vault.logins).toBe(1);
  vault.revoke("hvs.approle-1");
  expect(await reader.read(role, wanted)).toEqual({ ok: true, value: "found" });
  expect(vault.logins).toBe(2);
  const wrong = { ...role, authentication: { ...authentication, secretId: "wrong" } };
  expect(await reader.read(wrong, wanted)).toEqual({ ok: false, detail: `${vault.host} refuses the AppRole (400).` });
});
