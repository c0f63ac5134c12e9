import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { seenFrom } from "../test-executioner/histories.ts";
import { channelKinds } from "./alert-channels.ts";
import { deliveryStates } from "./alert-deliveries.ts";
import { alertScope, severity } from "./alert-rules.ts";
import { recovery, incidentTag as tag } from "./recoveries.ts";

export const incidentStates = ["opened", "acknowledged", "muted", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** The common cause of failing tests. */
export const incidentCause = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("host").describe("Its name does not resolve, or it refuses connections."),
      host: z.string().openapi({ example: "api.example.com" }),
    }),
    z.object({ kind: z.literal("certificate"), host: z.string().openapi({ example: "api.example.com" }) }),
    z.object({
      kind: z.literal("credential").describe("It is refused (401), deleted, or bound to another host."),
      credentialId: z.uuid(),
      host: z.string().nullable().openapi({ example: "api.example.com" }),
    }),
    z.object({
      kind: z
        .literal("test")
        .describe("The test's expectations are not met; later steps of its run fail as a consequence."),
      testId: z.uuid(),
    }),
    z.object({
      kind: z.literal("document").describe("The watched address of an API's document; no test has failed for it."),
      apiId: z.uuid(),
      problem: z
        .enum(["changed", "unavailable"])
        .describe("`changed`: it serves a version that waits for a person. `unavailable`: none that can be read."),
    }),
    z.object({
      kind: z
        .literal("place")
        .describe(
          "The trouble of one of several places: all tests fail there, with several hosts, and another place sees none fail.",
        ),
      locationId: z.uuid().nullable().describe("Null: the portal itself."),
    }),
    z.object({
      kind: z
        .literal("location")
        .describe(
          "No agent of a location calls; tests that are sent from there are not run, and none has failed for it.",
        ),
      locationId: z.uuid(),
      hasCalled: z.boolean().describe("Whether an agent has ever called."),
      apiIds: z.array(z.uuid()).describe("APIs of these tests; at most 50."),
      testCircleIds: z.array(z.uuid()).describe("Circles that are sent from there; at most 50."),
    }),
  ])
  .openapi("IncidentCause");
export type IncidentCause = z.infer<typeof incidentCause>;

const person = z.object({ id: z.uuid(), name: z.string() });

export const incidentSummary = z
  .object({
    id: identifier,
    title: z.string().openapi({ example: "Get a book fails" }),
    cause: incidentCause,
    unsteady: z.boolean().describe("Verdicts keep changing: it remains unstable until five passing results in a row."),
    reason: z
      .string()
      .nullable()
      .describe("Expected and actual result of the newest failure; secrets replaced.")
      .openapi({ example: "Expected status code 200, got 503." }),
    places: z
      .array(seenFrom)
      .default([])
      .describe("Of tests from several places: which of them see the newest failure, and since when. Else empty."),
    severity,
    state: z.enum(incidentStates),
    since: moment.describe("The first failing result."),
    openedAt: moment.describe("When it had failed as often or as long as its rule requires."),
    acknowledged: z.object({ at: moment, by: person }).nullable(),
    mutedUntil: moment.nullable(),
    resolved: z
      .object({
        at: moment,
        by: person.nullable().describe("Null: all of its tests have recovered or were deleted."),
        run: z
          .object({ runId: z.uuid(), apiId: z.uuid().describe("API of a test of that run.") })
          .nullable()
          .default(null)
          .describe("The run that resolved it; null if a user or a deletion did."),
      })
      .nullable(),
    recovery: recovery
      .nullable()
      .default(null)
      .describe("Every test that it causes to fail has passed since, in a run that does not resolve it."),
    failing: z.number().int().describe("Number of tests it causes to fail now."),
    failingTestIds: z.array(z.uuid()).default([]).describe("The first 50 of these tests."),
    affected: z.number().int().describe("Number of tests it has ever caused to fail."),
    apiIds: z.array(z.uuid()),
    testCircleIds: z.array(z.uuid()),
    runId: z.uuid().nullable().describe("Run of the newest failure; null with the causes `document` and `location`."),
    apiId: z.uuid().describe("API of the newest failure."),
  })
  .openapi("IncidentSummary");
export type IncidentSummary = z.infer<typeof incidentSummary>;

export const incidentTest = z
  .object({
    testId: z.uuid(),
    testName: z.string(),
    method: z.string(),
    path: z.string(),
    apiId: z.uuid(),
    apiName: z.string(),
    testCircleId: z.uuid().nullable().describe("The circle it failed in; null outside circles."),
    testCircleName: z.string().nullable(),
    environment: z.string().nullable(),
    state: z.enum(["failing", "well", "left"]).describe("`left`: it now fails for another cause, or was deleted."),
    since: moment,
    reason: z.string().nullable(),
    runId: z.uuid(),
    executionId: z.uuid(),
    recovery: recovery.nullable().default(null),
  })
  .openapi("IncidentTest");
export type IncidentTest = z.infer<typeof incidentTest>;

export const notifiedChannel = z
  .object({
    channelId: z.uuid(),
    name: z.string().openapi({ example: "On call" }),
    kind: z.enum(channelKinds),
    state: z.enum(deliveryStates).describe("Of the message that reported the incident."),
    at: moment.nullable().describe("When the message was created; null after 90 days."),
    detail: z.string().nullable().describe("Result of the last delivery attempt, in a sentence."),
    notBefore: moment.nullable().describe("With `held`: when the deferral ends."),
  })
  .openapi("ToldChannel");
export type NotifiedChannel = z.infer<typeof notifiedChannel>;

export const silenceReasons = ["no_rule", "no_channel", "switched_off", "later"] as const;
export type SilenceReason = (typeof silenceReasons)[number];

export const incident = incidentSummary
  .extend({
    firstRun: z
      .object({ runId: z.uuid(), apiId: z.uuid().describe("API of a test of that run.") })
      .nullable()
      .default(null)
      .describe("The run with which it opened; null with the causes `document` and `location`."),
    tests: z.array(incidentTest).describe("At most 200, failing ones first."),
    notified: z.array(notifiedChannel).describe("Channels notified of it."),
    notNotified: z
      .object({
        because: z
          .enum(silenceReasons)
          .describe(
            "`no_rule`: no rule applies. `no_channel`: the rules that apply have no channel. `switched_off`: their channels are off. `later`: the channels notified now were not configured when it opened.",
          ),
        scope: z.union([alertScope, z.null()]).describe("The rule that applies to the first of its tests."),
      })
      .nullable()
      .describe("Why no channel is notified; null when one is."),
  })
  .openapi("Incident");
export type Incident = z.infer<typeof incident>;

export const entryKinds = [
  "opened",
  "joined",
  "well",
  "left",
  "unsteady",
  "renewed",
  "alerted",
  "held",
  "dropped",
  "undelivered",
  "acknowledged",
  "muted",
  "unmuted",
  "resolved",
  "commented",
] as const;
export type EntryKind = (typeof entryKinds)[number];

export const incidentEntry = z
  .object({
    id: identifier,
    at: moment,
    kind: z.enum(entryKinds),
    text: z.string().describe("A comment may have line breaks.").openapi({ example: "Emailed to On call." }),
    until: moment.nullable().describe("When the mute or the deferral ends."),
    by: person.nullable().describe("Null for automatic entries."),
    own: z.boolean().describe("A comment of the caller's, who may delete it."),
    runId: z.uuid().nullable(),
    apiId: z.uuid().nullable().describe("With `runId`: a test of that run."),
  })
  .openapi("IncidentEntry");
export type IncidentEntry = z.infer<typeof incidentEntry>;

export const incidentParameters = z.object({ incidentId: z.uuid() });

export const incidentSorts = ["newest", "oldest", "severity"] as const;
export type IncidentSort = (typeof incidentSorts)[number];

export const listIncidents = endpoint({
  method: "get",
  path: "/api/v1/incidents",
  access: "tests:read",
  tag,
  summary: "Incidents, newest first",
  description: "Resolved ones are stored for 13 months. `total` counts those that are not resolved.",
  query: listQuery.omit({ query: true }).extend({
    sort: z.enum(incidentSorts).default("newest").describe("`severity`: the highest severity first, then the newest"),
    state: z
      .enum([...incidentStates, "unresolved"])
      .optional()
      .describe("Only incidents in this state; `unresolved` is any state except `resolved`"),
    apiId: z.uuid().optional().describe("Only incidents that affected a test of this API"),
    testCircleId: z.uuid().optional().describe("Only incidents that affected a test in this circle"),
    testIds: identifierList.optional().describe("Only incidents that affected one of these tests"),
    at: moment.optional().describe("Only incidents that were ongoing at this time"),
  }),
  status: 200,
  response: pageSchema(incidentSummary),
});

export const getIncident = endpoint({
  method: "get",
  path: "/api/v1/incidents/{incidentId}",
  access: "tests:read",
  tag,
  summary: "One incident with its tests",
  description: "Its failing tests, since when they fail, and why.",
  params: incidentParameters,
  status: 200,
  response: incident,
});

export const listIncidentEntries = endpoint({
  method: "get",
  path: "/api/v1/incidents/{incidentId}/entries",
  access: "tests:read",
  tag,
  summary: "What happened to an incident, newest first",
  description: "Failures, recoveries, notifications and actions by users.",
  params: incidentParameters,
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(incidentEntry),
});

const change = {
  method: "post",
  access: "tests:write",
  audit: "incident",
  tag,
  params: incidentParameters,
  status: 200,
  response: incidentSummary,
  problems: { conflict: "It is resolved." },
} as const;

export const acknowledgeIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/acknowledge",
  summary: "Acknowledges an incident",
  description: "Stops its reminders. Repeated, the first acknowledgement is unchanged.",
});

export const muteIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/mute",
  summary: "Mutes an incident for a while",
  description:
    "No alerts while it continues or grows; its recovery is still notified. Failures of the same cause before that time are muted too, unless the incident was resolved manually.",
  body: z.object({ until: moment.describe("In the future, at most 30 days.") }),
});

export const unmuteIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/unmute",
  summary: "Unmutes an incident",
  description: "Deferred messages are sent.",
});

export const resolveIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/resolve",
  summary: "Resolves an incident manually",
  description: "Channels that were notified of it are notified. Later failures are another incident.",
});
