import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { CredentialInput } from "#contracts/security-service/credentials.ts";
import { startVaultServer, type VaultServer } from "#libraries/vault-kv/testing/vault-server.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

const canary = "hvs.canary7f3a9b2c";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let server: VaultServer;
  let administrator: Client<typeof securityServiceContract>;
  let internal: Client<typeof securityServiceContract>;
  beforeAll(async () => {
    [database, server] = await Promise.all([engine.open(), startVaultServer()]);
    world = await createSecurityWorld(database);
    const { accessToken, caller } = await world.requireLogin();
    administrator = world.connect({ token: accessToken });
    internal = world.connect({ token: await world.serviceToken(caller.organizationId) });
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
    await server.close();
  });

  const connect = (changes: object = {}) =>
    administrator.setVaultConnection({
      body: { address: server.address, authentication: "token", secret: canary, ...changes },
    });
  const errors = (result: Awaited<ReturnType<typeof connect>>) => [
    result.status,
    ...(result.ok ? [] : (result.problem.errors ?? []).map(({ path }) => path)),
  ];
  const referenced = (name: string, changes: Partial<CredentialInput> = {}) =>
    administrator.createCredential({
      body: {
        ...{ name, domain: `${name}.test`, type: "bearer" as const, settings: {} },
        reference: { kind: "vault", path: "shop/live", key: "api_key" },
        ...changes,
      },
    });
  const open = async (host: string) =>
    requireValue(await internal.openCredentials({ body: { host } }), "opening").items[0]!;

  test(`${engine.name}: a credential's secret is read from Vault when it is opened, and stored and shown nowhere`, async () => {
    server.allow(canary);
    server.put("secret/data/shop/live", { api_key: "read-canary-51b2" });
    const made = requireValue(await referenced("vaulted"), "credential");
    expect(made).toMatchObject({ secretSet: false, reference: { kind: "vault", path: "shop/live", key: "api_key" } });
    expect(await open("vaulted.test")).toMatchObject({
      secret: "",
      problem: expect.stringContaining("No Vault is connected"),
    });
    const connection = requireValue(await connect(), "connecting");
    expect(connection).toMatchObject({ address: server.address, mount: "secret", authentication: "token" });
    const opened = await open("vaulted.test");
    expect([opened.secret, opened.problem]).toEqual(["read-canary-51b2", undefined]);
    const shown = [
      made,
      connection,
      requireValue(await administrator.getVaultConnection(), "connection"),
      requireValue(await administrator.listCredentials({ query: {} }), "list"),
    ];
    const { rows } = await sql<{ row: string }>`
      select credential::text as row from security_service.credentials credential
      union all select connection::text from security_service.vault_connections connection
      union all select record::text from security_service.audit_records record`.execute(database.kysely);
    const everything = JSON.stringify([shown, rows]);
    expect(everything).not.toContain(canary);
    expect(everything).not.toContain("read-canary-51b2");

    server.revoke(canary);
    const refused = requireValue(
      await referenced("refused", { reference: { kind: "vault", path: "other", key: "k" } }),
      "credential",
    );
    expect((await open(refused.domain)).problem).toBe(
      `The secret of the credential refused could not be read. ${server.host} does not allow reading secret/data/other (403).`,
    );
  });

  test(`${engine.name}: a secret that is typed replaces the reference, and a reference the secret`, async () => {
    const { id } = requireValue(await referenced("changing"), "credential");
    const params = { credentialId: id };
    const body = { name: "changing", domain: "changing.test", type: "bearer" as const, settings: {} };
    const typed = requireValue(
      await administrator.changeCredential({ params, body: { ...body, secret: "typed" } }),
      "typed",
    );
    expect([typed.secretSet, typed.reference]).toEqual([true, null]);
    expect((await open("changing.test")).secret).toBe("typed");
    const reference = { kind: "vault" as const, path: "a/b", key: "k" };
    const back = requireValue(await administrator.changeCredential({ params, body: { ...body, reference } }), "back");
    expect([back.secretSet, back.reference]).toEqual([false, reference]);
    const kept = requireValue(
      await administrator.changeCredential({ params, body: { ...body, name: "Kept" } }),
      "kept",
    );
    expect(kept.reference).toEqual(reference);
    const both = await administrator.changeCredential({ params, body: { ...body, reference, secret: "typed" } });
    expect(both).toMatchObject({ status: 422, problem: { errors: [{ path: "secret" }] } });
  });

  test(`${engine.name}: the token stays with the address that it was given for, and wrong input is refused at its field`, async () => {
    requireValue(await connect(), "connecting");
    expect(errors(await connect({ secret: undefined, mount: "kv" }))).toEqual([200]);
    expect(errors(await connect({ secret: undefined, address: "https://evil.example" }))).toEqual([422, "secret"]);
    expect(errors(await connect({ secret: undefined, authentication: "appRole", roleId: "r" }))).toEqual([
      422,
      "secret",
    ]);
    expect(errors(await connect({ authentication: "appRole" }))).toEqual([422, "roleId"]);
    expect(errors(await connect({ address: "file:///etc/passwd" }))).toEqual([422, "address"]);
    expect(errors(await connect({ mount: "../sys" }))).toEqual([422, "mount"]);
    const away = await referenced("away", { reference: { kind: "vault", path: "a/../../sys", key: "k" } });
    expect(away).toMatchObject({ status: 422, problem: { errors: [{ path: "reference.path" }] } });
    const environment = await referenced("env", { reference: { kind: "environment", name: "PATH" } });
    expect(environment).toMatchObject({ status: 422, problem: { errors: [{ path: "reference.name" }] } });
    expect((await administrator.deleteVaultConnection()).status).toBe(204);
    expect((await administrator.deleteVaultConnection()).status).toBe(404);
  });
}
