import { expect, test } from "vitest";
import { createWaitingWorkHandlers } from "./waiting-work.ts";

test("the age of waiting work is reported when a table records it, and only while work is waiting", async () => {
  const since = new Date("2026-03-01T12:00:00Z");
  const listWaiting = async (prefix: string) => [
    { name: `${prefix}letters`, waiting: 2, running: 1 },
    { name: `${prefix}idle`, waiting: 0, running: 1 },
    { name: `${prefix}news`, waiting: 1, running: 0 },
  ];
  const oldest = async () => since;
  const known = { "a-service-letters": oldest, "a-service-idle": oldest };
  const { listWaitingWork } = createWaitingWorkHandlers({ listWaiting }, "a-service", known);
  const result = await listWaitingWork({} as never);
  expect(result).toMatchObject({
    items: [
      { name: "a-service-letters", waiting: 2, running: 1, oldestAt: since.toISOString() },
      { name: "a-service-idle", waiting: 0, running: 1, oldestAt: null },
      { name: "a-service-news", waiting: 1, running: 0, oldestAt: null },
    ],
  });
});
