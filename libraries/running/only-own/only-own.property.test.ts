import fc from "fast-check";
import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "../run-test.ts";
import type { OpenCapture } from "../test-to-run.ts";
import { createParts, toRun } from "../testing/parts.ts";

const { signal } = new AbortController();
const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

const step = fc.oneof(
  fc.record({
    does: fc.constant("make"),
    name: fc.constantFrom(...names),
    status: fc.constantFrom(200, 201, 204, 302, 409, 500),
  }),
  fc.record({ does: fc.constant("list"), name: fc.constantFrom(...names) }),
  fc.record({
    does: fc.constant("change"),
    method: fc.constantFrom("delete", "put", "patch", "post"),
    value: fc.oneof(
      fc.constantFrom(...names).map((name) => `{{${name}}}`),
      fc.constantFrom("1", "{{a}}1", "{{a}},{{b}}", "{{$uuid}}", "{{missing}}"),
    ),
    row: fc.option(fc.constantFrom(...names), { nil: undefined }),
  }),
);

test("whatever a run does, no request reaches something that it did not make", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.constantFrom(...names), async (steps, variable) => {
      const captures = new Map<string, OpenCapture>();
      // Ids that the server gave for what was made; lists name the same small numbers.
      const made = new Set<string>();
      const lists = ["1", "2", "3"];
      for (const [index, one] of steps.entries()) {
        const id = one.does === "make" ? `${100 + index}` : lists[index % 3]!;
        const status = "status" in one ? one.status : 200;
        const { parts, sent } = createParts([{ status, body: `{"id":${id}}` }]);
        const capturing =
          "name" in one ? [{ name: one.name as Name, source: "jsonPath" as const, property: "$.id" }] : [];
        const changes: Partial<Test> =
          "value" in one
            ? {
                ...{ method: one.method as Test["method"], path: "/things/{id}" },
                request: testRequest.parse({ pathParameters: [{ name: "id", value: one.value }] }),
              }
            : { method: one.does === "make" ? "post" : "get", path: "/things", captures: capturing };
        const result = await runTest(
          parts,
          toRun(changes, {
            captures: [...captures.values()],
            row: "row" in one && one.row ? { [one.row]: "2" } : undefined,
            findVariable: (name) => (name === variable ? "3" : undefined),
            onlyOwn: { effect: one.does === "make" ? "makes" : undefined },
          }),
          { signal },
        );
        if (one.does === "make" && status >= 200 && status < 300) made.add(id);
        for (const capture of result.captures) captures.set(capture.name, capture);
        if (one.does !== "change") continue;
        for (const { url } of sent) expect(made).toContain(url.split("/").at(-1));
        if (sent.length === 0) expect(["blocked", "errored"]).toContain(result.verdict);
      }
    }),
    { numRuns: 60 },
  );
});
