import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnPortal, openOwnPortal } from "./support/own-portal.ts";

let portal: OwnPortal;
beforeAll(async () => {
  portal = await openOwnPortal();
});
afterAll(() => portal.close());

test("an API token opens every service within its scopes, and its changes are recorded under its name", async () => {
  const tokens = "/api/security-service/api/v1/api-tokens";
  const scopes = ["apis:read", "tests:read", "credentials:manage"];
  const made = await portal.call<{ id: string; token: string }>("POST", tokens, { name: "Nightly", scopes });
  const ask = async (method: string, path: string, bearer = made.token, body?: object) => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await fetch(portal.origin + path, sent)).status;
  };
  expect(await ask("GET", `/api/api-registry/api/v1/apis`)).toBe(200);
  expect(await ask("GET", "/api/test-registry/api/v1/test-circles")).toBe(200);
  expect(await ask("GET", "/api/test-analyzer/api/v1/incidents")).toBe(200);
  expect(await ask("GET", "/api/security-service/api/v1/users")).toBe(403);
  expect(await ask("GET", tokens)).toBe(404);
  expect(await ask("GET", `/api/api-registry/api/v1/apis`, `${made.token.slice(0, -1)}-`)).toBe(401);

  const credential = {
    domain: "token.example.com",
    type: "bearer",
    settings: {},
    secret: "s3cret!!",
    name: "By token",
  };
  expect(await ask("POST", "/api/security-service/api/v1/credentials", made.token, credential)).toBe(201);
  const { rows } = await sql<{ actor_name: string }>`
    select actor_name from security_service.audit_records where operation = 'createCredential'
    order by id desc limit 1`.execute(portal.wiring.database.kysely);
  expect(rows).toEqual([{ actor_name: "admin, by API token “Nightly”" }]);

  const revoked = await fetch(`${portal.origin}${tokens}/${made.id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${portal.token}` },
  });
  expect(revoked.status).toBe(204);
  expect(await ask("GET", `/api/api-registry/api/v1/apis`)).toBe(401);
});
