import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { bothEngines } from "../../kit/testing/databases.ts";
import { endContentLease } from "../store/contents.ts";
import { migrations } from "../store/migrations.ts";
import { type ApiRegistryTables, type RegistryDatabase, schemaName } from "../store/tables.ts";
import type { ContentPiece } from "./content-pieces.ts";
import { type ContentStore, createContentStore } from "./content-store.ts";
import type { ImportSession } from "./importer.ts";

const silent = pino({ level: "silent" });
const rowsOfOnePiece = 250;

/** Components 0 to 249, 250 to 499, and so on. */
function pieceOfComponents(number: number): ContentPiece {
  const rows = Array.from({ length: rowsOfOnePiece }, (_, index) => {
    const ordinal = number * rowsOfOnePiece + index;
    return { ordinal, reference: `#/components/schemas/S${ordinal}`, body: '"\\u0000 \\ud800"' };
  });
  return { table: "components", rows: JSON.stringify(rows) };
}

/** A session whose pieces arrive when `work` yields them. */
function createSession(work: () => AsyncGenerator<ContentPiece>): ImportSession {
  return { pieces: work } as unknown as ImportSession;
}

async function* twoPieces(): AsyncGenerator<ContentPiece> {
  yield pieceOfComponents(0);
  yield pieceOfComponents(1);
}

for (const engine of bothEngines()) {
  let database: Database;
  let db: RegistryDatabase;
  let clock: ReturnType<typeof movableClock>;
  const stores: ContentStore[] = [];

  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<ApiRegistryTables>(schemaName);
  });
  beforeEach(() => {
    clock = movableClock("2026-01-15T10:00:00Z");
  });
  // A store that is still removing would take the next test's imports for dead: its clock is ahead of theirs.
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.stop();
  });
  afterAll(() => database.close());

  async function openStore({ alone = false } = {}): Promise<ContentStore> {
    const store = await createContentStore({ db, clock, log: silent, alone });
    stores.push(store);
    return store;
  }

  const countComponents = async () => (await db.selectFrom("components").select("ordinal").execute()).length;
  const countLoose = async () => (await db.selectFrom("loose_contents").select("document_id").execute()).length;
  const removed = () => expect.poll(async () => (await countComponents()) + (await countLoose())).toBe(0);

  /** An import that stops after its first piece, as if its process had been killed there. */
  async function importHalf(store: ContentStore): Promise<void> {
    let reached: () => void;
    const half = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const stored = store.storeContent(
      createSession(async function* () {
        yield pieceOfComponents(0);
        reached();
        await new Promise(() => {});
      }),
      async () => {},
    );
    await Promise.race([half, stored]);
  }

  async function removeEverything(): Promise<void> {
    await openStore({ alone: true });
    await removed();
  }

  test(`${engine.name}: a document is visible once all of its content is stored`, async () => {
    const store = await openStore();
    const documentId = await store.storeContent(createSession(twoPieces), async (id) => {
      expect(await countComponents()).toBe(2 * rowsOfOnePiece);
      expect(await endContentLease(db, id)).toBe(true);
      return id;
    });
    expect(await countLoose()).toBe(0);
    const last = await db
      .selectFrom("components")
      .selectAll()
      .where("ordinal", "=", 2 * rowsOfOnePiece - 1)
      .execute();
    expect(last).toEqual([
      {
        document_id: documentId,
        ordinal: 2 * rowsOfOnePiece - 1,
        reference: `#/components/schemas/S${2 * rowsOfOnePiece - 1}`,
        body: '"\\u0000 \\ud800"',
      },
    ]);
    await db.deleteFrom("components").execute();
  });

  test(`${engine.name}: pieces stored before an import failed are removed`, async () => {
    const store = await openStore();
    const failing = createSession(async function* () {
      yield* twoPieces();
      throw new Error("The worker ended.");
    });
    await expect(store.storeContent(failing, async () => {})).rejects.toThrow("The worker ended.");
    await removed();
  });

  test(`${engine.name}: content that could not become visible is removed`, async () => {
    const store = await openStore();
    const refused = store.storeContent(createSession(twoPieces), async () => {
      throw new Error("The API is gone.");
    });
    await expect(refused).rejects.toThrow("The API is gone.");
    await removed();
  });

  test(`${engine.name}: another process's import is left alone until it has been silent for five minutes`, async () => {
    await importHalf(await openStore());
    clock.advance(5 * 60_000 - 1);
    const early = await openStore();
    await early.stop();
    expect(await countComponents()).toBe(rowsOfOnePiece);
    clock.advance(1);
    await openStore();
    await removed();
  });

  test(`${engine.name}: an import that was taken for dead stores nothing more`, async () => {
    const slow = await openStore();
    let isVisible = false;
    const stored = slow.storeContent(
      createSession(async function* () {
        yield pieceOfComponents(0);
        clock.advance(6 * 60_000);
        const other = await openStore();
        await removed();
        await other.stop();
        yield pieceOfComponents(1);
      }),
      async () => {
        isVisible = true;
      },
    );
    await expect(stored).rejects.toThrow("given up");
    expect(isVisible).toBe(false);
    expect(await countComponents()).toBe(0);
  });

  test(`${engine.name}: a process with exclusive use of the database does not wait for silence`, async () => {
    await importHalf(await openStore());
    await openStore({ alone: true });
    await removed();
  });

  test(`${engine.name}: two processes that remove concurrently remove everything without errors`, async () => {
    await importHalf(await openStore());
    await importHalf(await openStore());
    clock.advance(5 * 60_000);
    await Promise.all([openStore(), openStore()]);
    await removed();
    await removeEverything();
  });
}
