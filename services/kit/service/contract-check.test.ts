import { z } from "@hono/zod-openapi";
import { pino } from "pino";
import { expect, test } from "vitest";
import { endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { systemClock } from "../clock/clock.ts";
import { createTestIdentities } from "../testing/identities.ts";
import { createService, type Handlers } from "./service.ts";

const contract = {
  makeNote: endpoint({
    method: "post",
    path: "/shelves/{shelfId}/notes",
    access: "public",
    summary: "Makes a note",
    params: z.object({ shelfId: z.string() }),
    status: 201,
    response: z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })) }),
    locationPath: "/notes/{id}",
    problems: { conflict: "The shelf is full." },
  }),
};

/** The service's response when its handler behaves like this. */
async function respond(makeNote: () => unknown): Promise<Response> {
  const service = createService({
    name: "notes",
    description: "Notes",
    version: "1.0.0",
    contract,
    handlers: { makeNote } as Handlers<typeof contract>,
    authenticate: createTestIdentities().authenticate,
    clock: systemClock,
    log: pino({ level: "silent" }),
    checkHealth: async () => {},
  });
  return await service.request("/shelves/1/notes", { method: "POST" });
}

test("a created resource is answered with its location, relative to the request", async () => {
  const response = await respond(() => ({ id: "7", tags: [{ name: "new" }] }));
  expect([response.status, response.headers.get("location")]).toEqual([201, "../../notes/7"]);
});

test("a response with a member missing from its contract is an internal error", async () => {
  expect((await respond(() => ({ id: "7", tags: [], secret: "x" }))).status).toBe(500);
  expect((await respond(() => ({ id: "7", tags: [{ name: "new", color: "red" }] }))).status).toBe(500);
  expect((await respond(() => Response.json({ id: "7", tags: [], secret: "x" }))).status).toBe(500);
});

test("a response that lacks a member, or has an invalid value, is an internal error", async () => {
  expect((await respond(() => ({ id: "7" }))).status).toBe(500);
  expect((await respond(() => ({ id: 7, tags: [] }))).status).toBe(500);
});

test("a refusal that the contract names or implies is sent; any other is an internal error", async () => {
  const refusing = (code: "conflict" | "not_found" | "plan_limit_reached") => () => {
    throw new Problem(code);
  };
  expect((await respond(refusing("conflict"))).status).toBe(409);
  expect((await respond(refusing("not_found"))).status).toBe(404);
  expect((await respond(refusing("plan_limit_reached"))).status).toBe(500);
});
