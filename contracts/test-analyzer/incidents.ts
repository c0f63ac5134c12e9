import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { channelKinds } from "./alert-channels.ts";
import { deliveryStates } from "./alert-deliveries.ts";
import { alertScope, severity } from "./alert-rules.ts";

const tag: Tag = {
  name: "Incidents",
  description: "What is broken: one for each cause, with the tests that fail by it.",
};

export const incidentStates = ["opened", "acknowledged", "muted", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** What tests that fail have in common. */
export const incidentCause = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("host").describe("Its name is not found, or it does not let us connect."),
      host: z.string().openapi({ example: "api.example.com" }),
    }),
    z.object({ kind: z.literal("certificate"), host: z.string().openapi({ example: "api.example.com" }) }),
    z.object({
      kind: z.literal("credential").describe("It is refused (401), gone, or bound to another host."),
      credentialId: z.uuid(),
      host: z.string().nullable().openapi({ example: "api.example.com" }),
    }),
    z.object({
      kind: z.literal("test").describe("What this test expects, it does not get; later steps of its run fail with it."),
      testId: z.uuid(),
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
    unsteady: z.boolean().describe("Verdicts keep changing: it stays until five good results in a row."),
    reason: z
      .string()
      .nullable()
      .describe("What was expected and what came, of the newest failure; secrets replaced.")
      .openapi({ example: "Expected status code 200, got 503." }),
    severity,
    state: z.enum(incidentStates),
    since: moment.describe("The first result that failed."),
    openedAt: moment.describe("When it had failed as often or as long as its rule asks for."),
    acknowledged: z.object({ at: moment, by: person }).nullable(),
    mutedUntil: moment.nullable(),
    resolved: z
      .object({ at: moment, by: person.nullable().describe("Null: all of it has recovered or is gone.") })
      .nullable(),
    failing: z.number().int().describe("Tests that fail by it now."),
    affected: z.number().int().describe("Tests that failed by it at some time."),
    apiIds: z.array(z.uuid()),
    testCircleIds: z.array(z.uuid()),
    runId: z.uuid().describe("Run of the newest failure."),
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
    testCircleId: z.uuid().nullable().describe("The circle it failed in; null outside of circles."),
    testCircleName: z.string().nullable(),
    environment: z.string().nullable(),
    state: z.enum(["failing", "well", "left"]).describe("`left`: it fails by another cause now, or is gone."),
    since: moment,
    reason: z.string().nullable(),
    runId: z.uuid(),
    executionId: z.uuid(),
  })
  .openapi("IncidentTest");
export type IncidentTest = z.infer<typeof incidentTest>;

export const toldChannel = z
  .object({
    channelId: z.uuid(),
    name: z.string().openapi({ example: "On call" }),
    kind: z.enum(channelKinds),
    state: z.enum(deliveryStates).describe("Of the message that says that it broke."),
    at: moment.nullable().describe("When that was made; null after 90 days."),
    detail: z.string().nullable().describe("What came of the last try to deliver it, in a sentence."),
    notBefore: moment.nullable().describe("With `held`: until when."),
  })
  .openapi("ToldChannel");
export type ToldChannel = z.infer<typeof toldChannel>;

export const untoldReasons = ["no_rule", "no_channel", "switched_off", "later"] as const;
export type UntoldReason = (typeof untoldReasons)[number];

export const incident = incidentSummary
  .extend({
    tests: z.array(incidentTest).describe("At most 200, failing ones first."),
    told: z.array(toldChannel).describe("Who is told of it."),
    untold: z
      .object({
        because: z
          .enum(untoldReasons)
          .describe(
            "`no_rule`: none counts here. `no_channel`: those that count tell no channel. `switched_off`: their channels are. `later`: who is told now was not when it opened.",
          ),
        scope: alertScope.nullable().describe("Of the rule that counts for the first of its tests."),
      })
      .nullable()
      .describe("Why nobody is told; null where somebody is."),
  })
  .openapi("Incident");
export type Incident = z.infer<typeof incident>;

export const entryKinds = [
  "opened",
  "joined",
  "well",
  "left",
  "unsteady",
  "alerted",
  "held",
  "dropped",
  "undelivered",
  "acknowledged",
  "muted",
  "unmuted",
  "resolved",
] as const;
export type EntryKind = (typeof entryKinds)[number];

export const incidentEntry = z
  .object({
    id: identifier,
    at: moment,
    kind: z.enum(entryKinds),
    text: z.string().openapi({ example: "Mailed to On call." }),
    until: moment.nullable().describe("Of what is muted or held: until when."),
    by: person.nullable().describe("Null where nobody did it."),
    runId: z.uuid().nullable(),
    apiId: z.uuid().nullable().describe("With `runId`: of one of that run's tests."),
  })
  .openapi("IncidentEntry");
export type IncidentEntry = z.infer<typeof incidentEntry>;

const params = z.object({ incidentId: z.uuid() });

export const incidentSorts = ["newest", "severity"] as const;
export type IncidentSort = (typeof incidentSorts)[number];

export const listIncidents = endpoint({
  method: "get",
  path: "/api/v1/incidents",
  access: "tests:read",
  tag,
  summary: "Incidents, newest first",
  description: "Resolved ones are kept for 13 months. `total` is told of those that are not resolved.",
  query: listQuery.omit({ query: true }).extend({
    sort: z.enum(incidentSorts).default("newest").describe("`severity`: the most severe first, of these the newest"),
    state: z
      .enum([...incidentStates, "unresolved"])
      .optional()
      .describe("Keeps those in this state; `unresolved` is every other than `resolved`"),
    apiId: z.uuid().optional().describe("Keeps those by which a test of this API failed"),
    testCircleId: z.uuid().optional().describe("Keeps those by which a test failed in this circle"),
    testIds: identifierList.optional().describe("Keeps those by which one of these tests failed"),
    at: moment.optional().describe("Keeps those that went on at this moment"),
  }),
  status: 200,
  answer: pageOf(incidentSummary),
});

export const getIncident = endpoint({
  method: "get",
  path: "/api/v1/incidents/{incidentId}",
  access: "tests:read",
  tag,
  summary: "One incident with its tests",
  description: "What fails by it, since when, and why.",
  params,
  status: 200,
  answer: incident,
});

export const listIncidentEntries = endpoint({
  method: "get",
  path: "/api/v1/incidents/{incidentId}/entries",
  access: "tests:read",
  tag,
  summary: "What happened to an incident, newest first",
  description: "What failed and got well, who was told, and who did what about it.",
  params,
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(incidentEntry),
});

const change = {
  method: "post",
  access: "tests:write",
  audit: "incident",
  tag,
  params,
  status: 200,
  answer: incidentSummary,
  problems: { conflict: "It is resolved." },
} as const;

export const acknowledgeIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/acknowledge",
  summary: "Says that somebody looks after an incident",
  description: "It reminds nobody any more. Done again, it stays with who did first.",
});

export const muteIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/mute",
  summary: "Mutes an incident for a while",
  description:
    "Nobody is alerted that it goes on or grows; its recovery is still told. What fails by the same cause before that time is muted too, unless somebody resolved it by hand.",
  body: z.object({ until: moment.describe("In the future, 30 days at most.") }),
});

export const unmuteIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/unmute",
  summary: "Ends an incident's mute",
  description: "What was held meanwhile is told.",
});

export const resolveIncident = endpoint({
  ...change,
  path: "/api/v1/incidents/{incidentId}/resolve",
  summary: "Resolves an incident by hand",
  description: "Whoever was told of it is told. What fails from then on is another incident.",
});
