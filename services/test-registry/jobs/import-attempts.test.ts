import { afterEach, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createImportWorld, type ImportWorld, type Moment } from "../testing/import-world.ts";

let world: ImportWorld;
beforeEach(async () => {
  world = await createImportWorld(testEngines()[0]);
});
afterEach(() => world.close());

/** Longer than a process may give no sign of life. */
const claimMilliseconds = 20_000;
const files = [
  {
    name: "books.http",
    text: [
      "@team = readers",
      "### List",
      "GET https://api.example.com/books?team={{team}}",
      "Authorization: Bearer s3cret-of-books",
      "### Count",
      "GET https://count.example.com/books",
      "Authorization: Bearer s3cret-of-counts",
    ].join("\n"),
  },
];
const nothing = { apis: [], credentials: [], circles: [] };
const everything = {
  apis: [
    { name: "books", variables: { team: "readers" }, secretVariables: [], environments: [], tests: ["Count", "List"] },
  ],
  credentials: ["books: token for api.example.com", "books: token for count.example.com"],
  circles: ["books"],
};
const importFiles = (apiId?: string) =>
  world.registry.importTests({ body: { apiId, source: { files }, unmatched: true } });

/** Never returns, as in a process that has ended. */
const end = () => new Promise<void>(() => {});

/** Ends the process at one of its calls, and has another process take over once it is taken for ended. */
async function endAt(moments: Moment[], call: () => Promise<unknown>): Promise<void> {
  let ended = false;
  world.interruptWith((at) => {
    if (!moments.includes(at)) return undefined;
    ended = true;
    return end();
  });
  void call();
  await expect.poll(() => ended).toBe(true);
  world.interruptWith();
  world.clock.advance(claimMilliseconds);
  await world.restartTestRegistry();
}

const isSettled = async () => (await world.listAttempts()).every(({ state }) => state === "undone");

test.each<Moment>(["before takeImport", "after takeImport", "before takeCredentials", "after takeCredentials"])(
  "an import whose process ended %s leaves nothing, and the next one imports everything once",
  async (at) => {
    await endAt([at], () => importFiles());
    await expect.poll(isSettled).toBe(true);
    expect(await world.describe()).toEqual(nothing);
    requireValue(await importFiles(), "import again");
    expect(await world.describe()).toEqual(everything);
  },
);

test.each<Moment>(["before forgetImport", "after forgetImport"])(
  "an import whose process ended %s is there whole, once",
  async (at) => {
    await endAt([at], () => importFiles());
    await expect.poll(world.listAttempts).toEqual([]);
    expect(await world.describe()).toEqual(everything);
    const again = requireValue(await importFiles(), "import again");
    expect(again).toMatchObject({ tests: [], circles: [], credentials: [], isNewApi: false });
    expect(await world.describe()).toEqual(everything);
  },
);

test.each<Moment>(["before undoImport", "after undoImport", "before deleteCredential", "after deleteCredential"])(
  "an import that fails and whose process ended %s leaves nothing",
  async (at) => {
    let failed = false;
    let ended = false;
    world.interruptWith((moment) => {
      if (moment === "after takeCredentials" && !failed) {
        failed = true;
        throw new Error("the response was lost");
      }
      if (moment !== at) return undefined;
      ended = true;
      return end();
    });
    void importFiles();
    await expect.poll(() => ended).toBe(true);
    world.interruptWith();
    // Longer than undoing may take.
    world.clock.advance(6 * 60_000);
    await world.restartTestRegistry();
    await expect.poll(isSettled).toBe(true);
    expect(await world.describe()).toEqual(nothing);
  },
);

test.each<Moment>(["after takeImport", "after takeCredentials"])(
  "an import whose response was lost %s fails, and leaves nothing",
  async (at) => {
    world.interruptWith((moment) => {
      if (moment === at) throw new Error("the response was lost");
      return undefined;
    });
    expect((await importFiles()).ok).toBe(false);
    expect([await world.describe(), await world.listAttempts()]).toEqual([nothing, []]);
    world.interruptWith();
    requireValue(await importFiles(), "import again");
    expect(await world.describe()).toEqual(everything);
  },
);

async function registerApi(): Promise<{ apiId: string }> {
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Mine", version: "1" }, paths: {} });
  const { id } = requireValue(await world.apis.registerApi({ body: { source: { document } } }), "API");
  requireValue(
    await world.apis.replaceVariables({ params: { apiId: id }, body: { variables: { mine: "1" } } }),
    "variables",
  );
  return { apiId: id };
}

test("what an import added to an API is removed once its process has ended", async () => {
  const { apiId } = await registerApi();
  const before = await world.describe();
  await endAt(["after takeCredentials"], () => importFiles(apiId));
  await expect.poll(isSettled).toBe(true);
  expect(await world.describe()).toEqual(before);
});

test("what a user changed since an import ended stays", async () => {
  const params = await registerApi();
  let isChanged = false;
  world.interruptWith(async (at) => {
    if (at !== "after takeImport") return;
    requireValue(await world.apis.setVariables({ params, body: { variables: { team: "writers" } } }), "change");
    isChanged = true;
    await end();
  });
  void importFiles(params.apiId);
  await expect.poll(() => isChanged).toBe(true);
  world.clock.advance(claimMilliseconds);
  await world.restartTestRegistry();
  await expect.poll(isSettled).toBe(true);
  expect((await world.describe()).apis).toMatchObject([{ name: "Mine", variables: { mine: "1", team: "writers" } }]);
});

test("the import of a process that was only suspended is refused, and what it made since is removed", async () => {
  let continueNow = () => {};
  let isSuspended = false;
  world.interruptWith((at) => {
    if (at !== "before takeCredentials") return undefined;
    isSuspended = true;
    return new Promise<void>((resolve) => {
      continueNow = resolve;
    });
  });
  const importing = importFiles();
  await expect.poll(() => isSuspended).toBe(true);
  world.interruptWith();
  world.clock.advance(claimMilliseconds);
  await world.restartTestRegistry();
  await expect.poll(isSettled).toBe(true);
  continueNow();
  expect(await importing).toMatchObject({ ok: false, status: 503 });
  expect((await world.describe()).credentials).toHaveLength(2);
  // Before it would be undone once more in any case.
  world.clock.advance(claimMilliseconds);
  await expect.poll(world.listAttempts, { timeout: 10_000 }).toEqual([]);
  expect(await world.describe()).toEqual(nothing);
});

test("imports of an organization wait for each other, so that files imported twice at once are there once", async () => {
  const all = await Promise.all([importFiles(), importFiles(), importFiles()]);
  expect(all.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(await world.describe()).toEqual(everything);
});
