import { z } from "@hono/zod-openapi";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { endpoint, listQuery, pageSchema } from "#contracts/kit/endpoint.ts";
import { systemClock } from "../clock/clock.ts";
import { createTestIdentities } from "../testing/identities.ts";
import { createService } from "./service.ts";

const note = z.object({ apiId: z.string() });
const listNotes = endpoint({
  ...{ method: "get", path: "/notes", access: "signed-in", summary: "Notes", status: 200 },
  query: listQuery.extend({ apiId: z.uuid().optional() }),
  response: pageSchema(note),
});
const identities = createTestIdentities();
const { token, organizationId: ours } = identities.tokenFor();
const shared = { name: "notes", description: "Keeps notes", version: "1", clock: systemClock };
const surroundings = {
  ...{ authenticate: identities.authenticate, log: pino({ level: "silent" }) },
  checkHealth: async () => {},
};
const [known, empty] = [uuidv7(), uuidv7()];
let looked = 0;
const service = createService({
  ...shared,
  ...surroundings,
  contract: { listNotes },
  handlers: { listNotes: ({ query: { apiId } }) => ({ items: apiId === known ? [{ apiId }] : [], nextCursor: null }) },
  finders: {
    async apiId({ organizationId, operation }, id) {
      looked += 1;
      return organizationId === ours && operation === "listNotes" && id === empty;
    },
  },
});
const list = async (query: string) =>
  await service.request(`/notes${query}`, { headers: { authorization: `Bearer ${token}` } });

test("a list filtered by an unknown id is not found, and one of a resource without items is empty", async () => {
  expect(await (await list(`?apiId=${empty}`)).json()).toEqual({ items: [], nextCursor: null });
  const unknown = await list(`?apiId=${uuidv7()}`);
  expect(await unknown.json()).toMatchObject({ status: 404, code: "not_found", detail: "No such API." });
});

test("a list with items, and one without filters, need no look at what it is filtered by", async () => {
  looked = 0;
  expect((await list(`?apiId=${known}`)).status).toBe(200);
  expect((await list("")).status).toBe(200);
  expect(looked).toBe(0);
});

test("a service that cannot look up what it filters by does not start", () => {
  const handlers = { listNotes: () => ({ items: [], nextCursor: null }) };
  expect(() => createService({ ...shared, ...surroundings, contract: { listNotes }, handlers })).toThrow(
    "listNotes filters by apiId",
  );
});
