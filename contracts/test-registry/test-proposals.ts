import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { exactTargets } from "./exact-targets.ts";
import { test, testInput } from "./tests.ts";

const tag: Tag = {
  name: "Test proposals",
  description: "Drafts of tests, usually by an assistant. They change nothing until a person accepts them.",
};

/** Of one API, waiting for a decision. */
export const maxOpenProposals = 100;

export const proposalStates = ["open", "accepted", "rejected"] as const;

/** What the proposed test would notice in the recorded response of its operation. */
export const proposalFindings = z
  .object({
    state: z
      .enum(["found", "no_response", "not_judged"])
      .describe(
        "`found`: the counts are known. `no_response`: no test of this operation has passed and has a stored response. `not_judged`: it could not be judged with it.",
      ),
    changes: z.number().int().describe("Ways in which the recorded response was spoiled."),
    noticed: z.number().int().describe("Of them, those with which the proposed test would not have passed."),
    setAside: z.number().int().describe("Its assertions and checks that the recorded response doesn't pass."),
    missed: z.array(z.string()).describe("Changes that it would miss, such as `id missing`; at most 20."),
  })
  .openapi("ProposalFindings");
export type ProposalFindings = z.infer<typeof proposalFindings>;

const person = z.object({
  name: z.string(),
  apiToken: z.string().nullable().describe("Name of the API token, if any."),
});

export const testProposal = z
  .object({
    id: identifier,
    apiId: z.uuid(),
    testId: z.uuid().nullable().describe("The test to change; null for a new one."),
    testVersion: z.number().int().nullable().describe("The version that it was made for; null for a new test."),
    test: testInput,
    reason: z.string().describe("Why, in the words of who proposed it."),
    findings: proposalFindings,
    state: z.enum(proposalStates),
    proposedBy: person,
    createdAt: moment,
    decided: z
      .object({ by: z.string(), at: moment, testId: z.uuid().nullable().describe("The test as accepted.") })
      .nullable(),
    current: z.union([test, z.null()]).describe("The test to change as it is now."),
  })
  .openapi("TestProposal");
export type TestProposal = z.infer<typeof testProposal>;

const params = z.object({ proposalId: z.uuid() });
const apiParams = z.object({ apiId: z.uuid() });

export const proposeTest = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/test-proposals",
  access: "tests:propose",
  audit: "test-proposal",
  tag,
  summary: "Proposes a test, or a change of one",
  description:
    "Stored as a draft that a person accepts or rejects in the portal. It is judged with spoiled copies of the last recorded response of its operation, which shows whether it can fail.",
  params: apiParams,
  body: z
    .object({
      testId: orNone(z.uuid()).describe("The test to change; omitted for a new one."),
      test: testInput,
      reason: displayName(z.string().trim().max(1_000)).default(""),
    })
    .openapi({
      example: {
        test: { name: "Lists all books", method: "get", path: "/books", request: {}, checks: ["not_a_server_error"] },
      },
    }),
  timeoutSeconds: 30,
  status: 201,
  exactNumbers: exactTargets,
  response: testProposal,
  locationPath: "/api/v1/test-proposals/{id}",
  problems: { conflict: `${maxOpenProposals} proposals of the API wait for a decision.` },
});

export const listTestProposals = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/test-proposals",
  access: "tests:read",
  tag,
  summary: "Proposed tests of an API, newest first",
  description: "Decided ones are stored for 90 days.",
  params: apiParams,
  query: listQuery.omit({ query: true }).extend({
    state: z.enum(proposalStates).default("open").describe("Only proposals in this state"),
  }),
  status: 200,
  exactNumbers: exactTargets,
  response: pageSchema(testProposal),
});

export const getTestProposal = endpoint({
  method: "get",
  path: "/api/v1/test-proposals/{proposalId}",
  access: "tests:read",
  tag,
  summary: "One proposed test",
  description: "With the test that it changes as that is now.",
  params,
  status: 200,
  exactNumbers: exactTargets,
  response: testProposal,
});

const decision = {
  method: "post",
  access: "tests:write",
  audit: "test-proposal",
  tag,
  params,
  status: 200,
  exactNumbers: exactTargets,
  response: testProposal,
} as const;

const onlyPeople = "The caller is an API token or a service: only a signed-in person decides.";

export const acceptTestProposal = endpoint({
  ...decision,
  path: "/api/v1/test-proposals/{proposalId}/acceptance",
  summary: "Accepts a proposed test",
  description: "Creates the test, or changes it, in the name of who accepts.",
  body: z
    .object({
      testVersion: z
        .number()
        .int()
        .nullable()
        .describe("The version of the test that was compared; null for a new one."),
    })
    .openapi({ example: { testVersion: 3 } }),
  problems: {
    forbidden: onlyPeople,
    conflict: "It was decided already.",
    stale_version: "The test was changed since it was compared.",
    plan_limit_reached: "The plan allows no more tests.",
  },
});

export const rejectTestProposal = endpoint({
  ...decision,
  path: "/api/v1/test-proposals/{proposalId}/rejection",
  summary: "Rejects a proposed test",
  description: "Nothing is changed.",
  problems: { forbidden: onlyPeople, conflict: "It was decided already." },
});
