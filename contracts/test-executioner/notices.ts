import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { assertion } from "../test-registry/assertions.ts";
import { exactTargets } from "../test-registry/exact-targets.ts";
import { proposalFindings } from "../test-registry/test-proposals.ts";
import { testInput } from "../test-registry/tests.ts";

const tag: Tag = { name: "Notices", description: "What tests would notice if a response were wrong." };

export const changeKinds = [
  "status",
  "emptyBody",
  "cutBody",
  "mediaType",
  "headerMissing",
  "headerValue",
  "slow",
  "emptyList",
  "shorterList",
  "itemTwice",
  "missing",
  "value",
  "type",
  "null",
  "form",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One thing that is wrong with a response. */
export const responseChange = z
  .object({
    key: z.string().describe("The same in every response of this form, such as `missing:/items/0/id`."),
    kind: z.enum(changeKinds),
    pointer: z.string().optional().describe("JSON pointer into the body."),
    xPath: z.string().optional().describe("XPath of what is changed in an XML body."),
    header: z.string().optional(),
    phrase: z.string().describe("For a list: `an empty list`, `id missing`, `another currency`."),
  })
  .openapi("ResponseChange");
export type ResponseChange = z.infer<typeof responseChange>;

export const missedChange = responseChange
  .extend({
    assertion: assertion
      .optional()
      .describe("Would notice it, and the stored response passes it. Absent if none is known."),
  })
  .openapi("MissedChange");
export type MissedChange = z.infer<typeof missedChange>;

/** `found` has all members; with the others there are no changes. */
export const noticesState = z.enum(["found", "never_passed", "not_stored", "body_cut", "not_judged", "too_costly"]);
export type NoticesState = z.infer<typeof noticesState>;

const counts = {
  changes: z.number().int().describe("That were tried."),
  noticed: z.number().int().describe("Of them, those with which the test would not have passed."),
};

const cannotFail = z.boolean().describe("The test would have passed with every change.");

export const testNotices = z
  .object({
    testId: z.uuid(),
    state: noticesState.describe(
      "`found`, or why nothing is known: it has not passed yet; no body of a passed execution is stored, or only the beginning of one; its assertions and checks can't judge the stored response; judging took too long.",
    ),
    testVersion: z.number().int().nullable().describe("The version of the test that was judged."),
    executionId: z.uuid().nullable().describe("The passed execution whose response was changed."),
    foundAt: moment.nullable(),
    ...counts,
    cannotFail,
    noticedChanges: z.array(responseChange),
    missedChanges: z.array(missedChange),
    leftOut: z.number().int().describe("Changes that were not tried, because there are too many or time was over."),
    setAside: z
      .number()
      .int()
      .describe("Assertions and checks that the stored response doesn't pass, such as those of secrets."),
  })
  .openapi("TestNotices");
export type TestNotices = z.infer<typeof testNotices>;

export const noticesSummary = z
  .object({ testId: z.uuid(), ...counts, cannotFail, foundAt: moment })
  .openapi("NoticesSummary");
export type NoticesSummary = z.infer<typeof noticesSummary>;

export const getTestNotices = endpoint({
  method: "get",
  path: "/api/v1/tests/{testId}/notices",
  access: "tests:read",
  tag,
  summary: "What a test would notice",
  description:
    "The stored response of the last passed execution is changed in up to 60 ways, and each is judged without a request. Changes that the test would miss have an assertion that would notice them.",
  params: z.object({ testId: z.uuid() }),
  status: 200,
  exactNumbers: exactTargets,
  response: testNotices,
});

export const listTestNotices = endpoint({
  method: "get",
  path: "/api/v1/test-notices",
  access: "tests:read",
  tag,
  summary: "How much the named tests would notice",
  description: "As last measured, after a passed run. Tests that were not measured are omitted.",
  query: z.object({ testIds: identifierList }),
  status: 200,
  response: completeListSchema(noticesSummary),
});

const totals = {
  tests: z.number().int().describe("That were measured."),
  ...counts,
  cannotFail: z.number().int().describe("Tests that would have passed with every change."),
};

export const apiNotices = z
  .object({
    ...totals,
    since: moment.nullable().describe("When the oldest of these measurements was made."),
    operations: z.array(z.object({ method: z.string(), path: z.string(), ...totals })),
  })
  .openapi("ApiNotices");
export type ApiNotices = z.infer<typeof apiNotices>;

export const judgeProposedTest = endpoint({
  method: "post",
  path: "/internal/v1/apis/{apiId}/proposed-tests/judgement",
  access: "internal",
  audit: onlyReads,
  summary: "What a proposed test would notice in the last recorded response of its operation",
  description: "The first of these tests that has passed, and whose response is stored, gives the response.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ test: testInput, testIds: z.array(z.uuid()).max(20) }),
  status: 200,
  exactNumbers: exactTargets,
  response: proposalFindings,
});

export const summarizeNotices = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/notices",
  access: "tests:read",
  tag,
  summary: "How much the tests of an API would notice",
  description: "In all and by operation, as last measured after passed runs.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  response: apiNotices,
});
