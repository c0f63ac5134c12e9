import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { migrateSchema } from "../database/migrate.ts";
import { bothEngines } from "../testing/databases.ts";
import {
  claimDeliveries,
  createDeliveryTable,
  type DeliveryTables,
  deleteDeliveries,
  insertDeliveries,
  postponeDelivery,
} from "./delivery-table.ts";

const schema = "notes";
const consumer = "reader";
const begun = new Date("2026-04-01T00:00:00Z");
const minutesLater = (minutes: number) => new Date(begun.getTime() + minutes * 60_000);

for (const engine of bothEngines()) {
  test(`${engine.name}: a late process neither deletes nor postpones a delivery that another has claimed meanwhile`, async () => {
    const database = await engine.open();
    try {
      await migrateSchema(database, schema, { "001-events": { up: createDeliveryTable(schema) } });
      const db = database.inSchema<DeliveryTables>(schema);
      const delivery = { consumer, resource: "a", organization_id: uuidv7(), event: "{}", due_at: begun };
      await db.transaction().execute(async (transaction) => {
        await insertDeliveries(transaction, schema, [{ ...delivery, event_id: uuidv7() }]);
      });
      const claimAt = (minutes: number) =>
        claimDeliveries(db, schema, {
          consumer,
          now: minutesLater(minutes),
          leaseUntil: minutesLater(minutes + 1),
          limit: 5,
          maxRefusals: 12,
        });
      const [late] = await claimAt(0);
      const [holder] = await claimAt(2);
      expect([late!.tries, holder!.tries]).toEqual([1, 2]);

      await postponeDelivery(db, consumer, late!, { dueAt: minutesLater(60), refusals: 1 });
      await deleteDeliveries(db, schema, consumer, [late!]);
      const row = await db.selectFrom("event_deliveries").select(["due_at", "refusals"]).executeTakeFirst();
      expect(row).toEqual({ due_at: minutesLater(3), refusals: 0 });

      await deleteDeliveries(db, schema, consumer, [holder!]);
      expect(await db.selectFrom("event_deliveries").selectAll().execute()).toEqual([]);
    } finally {
      await database.close();
    }
  });
}
