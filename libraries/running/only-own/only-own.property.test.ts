import fc from "fast-check";
import { expect, test } from "vitest";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { runTest } from "../run-test.ts";
import type { OpenCapture } from "../test-to-run.ts";
import { createParts, toRun } from "../testing/parts.ts";

const { signal } = new AbortController();
const names = ["a", "b", "generated"] as const;
type Name = (typeof names)[number];

/** Less often the one that is generated: a capture takes its place for good. */
const name = fc.constantFrom<Name>("a", "b", "a", "b", "generated");
const row = fc.record({ name, value: fc.constantFrom("2", "{{a}}", "{{generated}}", "1{{b}}") });
const step = fc.oneof(
  fc.record({
    does: fc.constant("make"),
    name,
    status: fc.constantFrom(200, 201, 204, 302, 409, 500),
  }),
  fc.record({ does: fc.constant("list"), name }),
  fc.record({
    does: fc.constant("choose"),
    method: fc.constantFrom("put", "post"),
    status: fc.constantFrom(200, 201, 204, 302, 409, 500),
    value: fc.constantFrom("{{generated}}", "{{generated}}", "{{a}}", "1{{generated}}"),
    isIn: fc.constantFrom("path", "body", "title"),
    row: fc.option(row, { nil: undefined, freq: 2 }),
  }),
  fc.record({
    does: fc.constant("change"),
    method: fc.constantFrom("delete", "put", "patch", "post"),
    value: fc.oneof(
      fc.constantFrom(...names).map((one) => `{{${one}}}`),
      fc.constant("{{generated}}"),
      fc.constantFrom("1", "{{a}}1", "{{a}},{{b}}", "1{{generated}}", "{{$uuid}}", "{{missing}}"),
    ),
    row: fc.option(row, { nil: undefined, freq: 2 }),
  }),
);

/** Where a request names the thing that it makes or changes. */
function addressOf({ value, isIn = "path" }: { value: string; isIn?: string }): Pick<Test, "path" | "request"> {
  if (isIn === "path") {
    return {
      path: "/things/{id}",
      request: testRequest.parse({ pathParameters: [{ name: "id", value }] }),
    };
  }
  const text = JSON.stringify(isIn === "title" ? { title: value } : { id: value, title: "a thing" });
  return { path: "/things", request: testRequest.parse({ body: { kind: "json", text } }) };
}

test("whatever a run does, no request reaches something that it did not create", async () => {
  let changedChosen = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 12, size: "max" }),
      fc.constantFrom(...names),
      async (steps, variable) => {
        const uuid = "0b0e4a2c-5a4e-4d3e-9a43-0a2f6a3f2c11";
        const captures = new Map<string, OpenCapture>([
          ["generated", { name: "generated", isSecret: false, value: uuid, isUnique: true }],
        ]);
        // Ids that the server gave for what was made; lists name the same small numbers.
        const made = new Set<string>();
        const lists = ["1", "2", "3"];
        for (const [index, one] of steps.entries()) {
          const id = one.does === "make" ? `${100 + index}` : lists[index % 3]!;
          const makes = one.does === "make" || one.does === "choose";
          const status = "status" in one ? one.status : 200;
          const { parts, sent } = createParts([{ status, body: `{"id":${id}}` }]);
          const capturing =
            "name" in one ? [{ name: one.name as Name, source: "jsonPath" as const, property: "$.id" }] : [];
          const changes: Partial<Test> =
            "value" in one
              ? {
                  ...{ method: one.method as Test["method"], ...addressOf(one) },
                  assertions: [],
                }
              : { method: one.does === "make" ? "post" : "get", path: "/things", captures: capturing };
          const result = await runTest(
            parts,
            toRun(changes, {
              captures: [...captures.values()],
              row: "row" in one && one.row ? { [one.row.name]: one.row.value } : undefined,
              findVariable: (name) => (name === variable ? "3" : undefined),
              onlyOwn: { effect: makes ? "makes" : undefined },
            }),
            { signal },
          );
          const isGood = status >= 200 && status < 300;
          if (one.does === "make" && isGood) made.add(id);
          // The server stored it under what the client chose as its id; a number names what was there before.
          const chose = new RegExp(`[/"]${uuid}`);
          if (one.does === "choose" && one.isIn !== "title" && isGood && chose.test(`${sent[0]?.url} ${sent[0]?.body}`))
            made.add(uuid);
          for (const capture of result.captures) captures.set(capture.name, capture);
          if (one.does !== "change") continue;
          for (const { url } of sent) expect(made).toContain(url.split("/").at(-1));
          if (sent[0]?.url.endsWith(uuid)) changedChosen += 1;
          if (sent.length === 0) expect(["blocked", "errored"]).toContain(result.verdict);
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(changedChosen).toBeGreaterThan(0);
});
