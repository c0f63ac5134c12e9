import { z } from "@hono/zod-openapi";
import { baseUrl } from "../api-registry/environments.ts";
import { endpoint } from "../kit/endpoint.ts";
import { idempotencyKey, prefer, preferenceApplied } from "../kit/headers.ts";
import { orNone } from "../kit/or-none.ts";
import { triggerDescription, wait } from "./executions.ts";
import { run, runOrder, runsTag } from "./runs.ts";
import { runTrigger } from "./verdicts.ts";

/** Input of a start. A circle's execution is a run whose source is the circle. */
export const runSourceInput = z.union([
  z.object({
    tests: z.array(z.uuid()).min(1).max(5_000),
    include: z
      .enum(["safe", "all"])
      .default("all")
      .describe("`safe` omits tests with methods that may change data (RFC 9110, 9.2.1)."),
  }),
  z.object({
    apiId: z.uuid(),
    include: z
      .enum(["safe", "all"])
      .default("safe")
      .describe("`safe` omits tests with methods that may change data (RFC 9110, 9.2.1)."),
  }),
  /** The stored circle, with its order, environments and variables. */
  z.object({ testCircleId: z.uuid() }),
  /**
   * The tests of an earlier run that failed or errored, with the same environments and variables. For a circle's run
   * also its set-up and tear-down; if set-up failed, also the members that it prevented from running.
   */
  z.object({ runId: z.uuid(), only: z.literal("failed") }),
  /**
   * An earlier run from one member on, with the values captured before it; for a circle's run also set-up and
   * tear-down.
   */
  z.object({
    runId: z.uuid(),
    from: z.number().int().min(1).describe("Position of the first member to run again."),
  }),
]);

export const startRun = endpoint({
  method: "post",
  path: "/api/v1/runs",
  timeoutSeconds: 60,
  access: "tests:run",
  audit: "run",
  tag: runsTag,
  summary: "Starts a run",
  description:
    "Responds immediately, or with `wait` or `Prefer: wait=30` when it is finished, with its first 25 members; if it is not finished by then, `state` and `counts` say how far it is. Disabled tests run only when named. A circle, or a repeated run, defines the order and the behavior on failure itself; environments and variables of the call take precedence over theirs.",
  query: wait,
  body: z
    .object({
      source: runSourceInput,
      order: runOrder.default("parallel"),
      stopOnFailure: z.boolean().default(false),
      environments: orNone(z.record(z.uuid(), z.string().max(100))).describe("Name of the environment, keyed by API."),
      baseUrls: orNone(z.record(z.uuid(), baseUrl)).describe(
        "Keyed by API, instead of its environment's and its own: such as a preview deployment's.",
      ),
      variables: orNone(z.record(z.string().max(100), z.string().max(100_000))),
      locationId: orNone(z.union([z.literal("portal"), z.uuid()])).describe(
        "Where all of it is sent from, by an agent; `portal`: from the portal itself. Omitted: as each test says, or else its circle, or else the environment of its API.",
      ),
      trigger: runTrigger.default("api").describe(triggerDescription),
      joinUnfinished: z
        .boolean()
        .default(false)
        .describe("Returns a running run of the same test, API, circle or failed tests instead of starting another."),
    })
    .openapi({ example: { source: { testCircleId: "0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8e" } } }),
  status: 202,
  response: run,
  headers: [idempotencyKey, prefer],
  responseHeaders: [preferenceApplied],
  locationPath: "/api/v1/runs/{id}",
  problems: {
    conflict: "The `Idempotency-Key` was used for another call, or the run to repeat is still running.",
    not_found: "The run to repeat, a circle or an API does not exist.",
    plan_limit_reached: "The plan's remaining executions of the month do not suffice; nothing was started.",
  },
});
