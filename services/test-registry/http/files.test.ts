import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maximumFileBytes, maximumStoredBytes } from "#contracts/test-registry/files.ts";
import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { removeUnusedFiles } from "../jobs/unused-files.ts";
import { schemaName, type TestTables } from "../store/tables.ts";
import { createTestRegistryWorld } from "../testing/world.ts";

type World = Awaited<ReturnType<typeof createTestRegistryWorld>>;
type Tenant = ReturnType<World["createTenant"]>;

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const day = 24 * 60 * 60_000;

for (const engine of testEngines()) {
  let world: World;
  beforeAll(async () => {
    world = await createTestRegistryWorld(engine);
  });
  afterAll(() => world.close());

  const db = () => world.database.inSchema<TestTables>(schemaName);
  const store = ({ client }: Tenant, bytes: Uint8Array) => client.storeFile({ rawBody: new Uint8Array(bytes) });
  const download = async ({ client }: Tenant, sha256: string) => {
    const found = await client.getFile({ params: { sha256 } });
    return found.ok ? Buffer.from(await found.response.arrayBuffer()) : found.status;
  };
  const save = ({ client, apiId }: Tenant, body: RequestBody) =>
    client.createTest({
      params: { apiId },
      body: { name: "Uploads", method: "post", path: "/files", request: { body }, checks: ["not_a_server_error"] },
    });
  const sent = (bytes: Uint8Array): RequestBody => ({
    kind: "file",
    file: { sha256: hash(bytes), name: "a.bin", size: bytes.length },
    mediaType: "application/octet-stream",
  });

  test(`${engine.name}: a file comes back byte for byte, as a download, and the same bytes are stored once`, async () => {
    const tenant = world.createTenant();
    const bytes = Buffer.concat([randomBytes(70_000), Buffer.from("\0\r\n--\n\r\0")]);
    const stored = { sha256: hash(bytes), size: bytes.length };
    expect(requireValue(await store(tenant, bytes), "store")).toEqual(stored);
    expect(requireValue(await store(tenant, bytes), "store")).toEqual(stored);
    const found = await tenant.client.getFile({ params: { sha256: stored.sha256 } });
    expect(found.ok && Buffer.from(await found.response.arrayBuffer()).equals(bytes)).toBe(true);
    const headers = found.ok ? found.response.headers : new Headers();
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const rows = await db()
      .selectFrom("test_files")
      .where("organization_id", "=", tenant.organizationId)
      .select("size")
      .execute();
    expect(rows).toEqual([{ size: bytes.length }]);
    expect(requireValue(await store(tenant, new Uint8Array()), "an empty file").size).toBe(0);
  });

  test(`${engine.name}: an organization neither reads nor sends what another one stored`, async () => {
    const [owner, other] = [world.createTenant(), world.createTenant()];
    const bytes = randomBytes(100);
    requireValue(await store(owner, bytes), "store");
    expect(await download(other, hash(bytes))).toBe(404);
    const refused = await save(other, sent(bytes));
    expect(!refused.ok && refused.problem.errors).toMatchObject([{ path: "request.body.file" }]);
    expect((await save(owner, sent(bytes))).ok).toBe(true);
    requireValue(await store(other, bytes), "its own copy");
    expect((await save(other, sent(bytes))).ok).toBe(true);
  });

  test(`${engine.name}: an unknown file, and one of another size, is an error at its part`, async () => {
    const tenant = world.createTenant();
    const bytes = randomBytes(100);
    requireValue(await store(tenant, bytes), "store");
    const file = { sha256: hash(bytes), name: "a", size: 99 };
    const parts = [file, { ...file, sha256: hash(randomBytes(9)) }].map((one) => ({
      name: "f",
      value: "",
      enabled: true,
      file: one,
    }));
    const refused = await save(tenant, { kind: "multipart", parts });
    expect(!refused.ok && refused.problem.errors?.map(({ path }) => path)).toEqual([
      "request.body.parts[0].file.size",
      "request.body.parts[1].file",
    ]);
  });

  test(`${engine.name}: a file of more than 10 MiB is refused, and one beyond the organization's 200 MiB`, async () => {
    const tenant = world.createTenant();
    const tooLarge = await store(tenant, new Uint8Array(maximumFileBytes + 1));
    expect(!tooLarge.ok && tooLarge.problem.code).toBe("payload_too_large");
    const filler = { organization_id: tenant.organizationId, bytes: Buffer.from(""), used_at: world.clock.now() };
    await db()
      .insertInto("test_files")
      .values({ ...filler, sha256: "filler", size: maximumStoredBytes - 5 })
      .execute();
    expect((await store(tenant, randomBytes(5))).ok).toBe(true);
    const full = await store(tenant, randomBytes(1));
    expect(!full.ok && full.problem).toMatchObject({ code: "invalid_input", errors: [{ path: "file" }] });
  });

  test(`${engine.name}: a file goes a day after the last test stopped naming it, and not before`, async () => {
    const tenant = world.createTenant();
    const [used, unused] = [randomBytes(10), randomBytes(10)];
    for (const bytes of [used, unused]) requireValue(await store(tenant, bytes), "store");
    const saved = requireValue(await save(tenant, sent(used)), "save");
    const left = async () =>
      Promise.all([used, unused].map(async (bytes) => typeof (await download(tenant, hash(bytes)))));
    const after = async (milliseconds: number) => {
      world.clock.advance(milliseconds);
      await removeUnusedFiles({ db: db(), clock: world.clock });
    };
    await after(day - 1_000);
    expect(await left()).toEqual(["object", "object"]);
    await after(2_000);
    expect(await left()).toEqual(["object", "number"]);
    await after(30 * day);
    expect(await left()).toEqual(["object", "number"]);
    await tenant.client.deleteTest({ params: { testId: saved.id } });
    await after(day - 1_000);
    expect(await left()).toEqual(["object", "number"]);
    await after(2_000);
    expect(await left()).toEqual(["number", "number"]);
  });
}
