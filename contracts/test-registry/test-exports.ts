import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { circleParams, circlesTag } from "./circles.ts";
import { testsTag } from "./tests.ts";

export const exportFormats = ["curl", "postman", "bruno", "hurl", "http", "arazzo", "har", "k6"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Tests of one export. */
export const maxExportedTests = 1_000;

const format = z
  .enum(exportFormats)
  .describe(
    "`curl` (shell script), `postman` (collection 2.1), `bruno`, `hurl`, `http` (JetBrains HTTP client), `arazzo` (1.1), `har` (1.2) or `k6`.",
  );

const environment = z
  .string()
  .max(100)
  .optional()
  .describe("Name of the environment whose base URL and variables go along. Omitted: the API's own base URL.");

export const testExport = z
  .object({
    format,
    name: z.string().describe("Of the test, circle or API."),
    files: z.array(
      z.object({
        path: z.string().describe("Relative, with `/` between its segments.").openapi({ example: "shop.hurl" }),
        text: z.string(),
      }),
    ),
    losses: z
      .array(
        z.object({
          of: z.string().describe("Name of the request or sequence.").openapi({ example: "Creates a book" }),
          what: z.string().openapi({ example: "wait" }),
          reason: z.string().openapi({ example: "Postman sends a request once." }),
        }),
      )
      .describe("What the format can't say, and secrets, which are never exported."),
  })
  .openapi("TestExport");
export type TestExport = z.infer<typeof testExport>;

const description =
  "Secrets become variables without a value. Base URL, variables and operations are those that the caller may read (`apis:read`).";

export const exportTest = endpoint({
  method: "get",
  path: "/api/v1/tests/{testId}/export",
  access: "tests:read",
  tag: testsTag,
  summary: "One test as files of another tool",
  description,
  params: z.object({ testId: z.uuid() }),
  query: z.object({ format, environment }),
  status: 200,
  response: testExport,
  problems: { invalid_input: "The API has no such environment." },
});

export const exportTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/test-exports",
  access: "tests:read",
  audit: onlyReads,
  tag: testsTag,
  summary: "Tests of an API as files of another tool",
  description: `${description} At most ${maxExportedTests} tests, by name; disabled ones only if they are named.`,
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    format,
    environment,
    testIds: z.array(z.uuid()).max(maxExportedTests).optional().describe("Omitted: all enabled ones."),
  }),
  status: 200,
  response: testExport,
  problems: { invalid_input: `There are more than ${maxExportedTests} tests, or the API has no such environment.` },
});

export const exportCircle = endpoint({
  method: "get",
  path: "/api/v1/test-circles/{testCircleId}/export",
  access: "tests:read",
  tag: circlesTag,
  summary: "A test circle as files of another tool",
  description: `${description} In the order of a run, with the circle's environments and variables.`,
  params: circleParams,
  query: z.object({ format }),
  status: 200,
  response: testExport,
  problems: { invalid_input: `The circle has more than ${maxExportedTests} tests.` },
});
