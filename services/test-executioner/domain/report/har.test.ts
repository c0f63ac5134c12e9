import { createRequire } from "node:module";
import { Ajv } from "ajv";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import addFormats from "ajv-formats";
import type { Har } from "har-format";
import { expect, test } from "vitest";
import { madeAttempt, madeResponse, reportedExecution, runSummary, writeWhole } from "../../testing/reported-run.ts";
import { createHarReport } from "./har.ts";
import type { ReportedExecution } from "./reported-run.ts";

// The package has no types.
const schemas: Record<string, object> = createRequire(import.meta.url)("har-schema");
const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
ajv.addMetaSchema(draft6);
const validate = ajv.addSchema(Object.values(schemas)).getSchema("har.json#")!;

/** The archive, validated against the published schema. */
async function getArchive(...executions: ReportedExecution[]): Promise<Har["log"]> {
  const archive = JSON.parse(await writeWhole(createHarReport("2.0.1"), runSummary(), executions)) as Har;
  validate(archive);
  expect(validate.errors).toBeNull();
  return archive.log;
}

test("the schema rejects an invalid archive", () => {
  expect(validate({ log: { version: "1.2", creator: {}, entries: [] } })).toBe(false);
});

test("an attempt is an entry whose time is the sum of its phases, TLS within connect", async () => {
  const { creator, entries } = await getArchive(reportedExecution());
  expect(creator).toEqual({ name: "API Assurance", version: "2.0.1" });
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry!.timings).toEqual({ blocked: -1, dns: 2, connect: 30, ssl: 20, send: 1, wait: 50, receive: 1 });
  expect(entry!.time).toBe(84);
  expect(entry!.comment).toBe("1. Get a book, attempt 1: passed");
  expect(entry!.request.queryString).toEqual([
    { name: "fields", value: "title" },
    { name: "fields", value: "price" },
  ]);
  expect(entry!.response.content).toEqual({ size: 16, mimeType: "application/json", text: '{"title":"Dune"}' });
});

test("every attempt is reported, one without a response with its cause, one never sent not at all", async () => {
  const cause = { code: "timeout", detail: "No response in 5 s." };
  const { entries } = await getArchive(
    reportedExecution({
      attempts: [madeAttempt({ verdict: "errored", response: null, phases: null, cause }), madeAttempt({ number: 2 })],
    }),
    reportedExecution({ position: 2, verdict: "errored", attempts: [madeAttempt({ request: null, response: null })] }),
    reportedExecution({ position: 3, state: "cancelled", verdict: null, attempts: [] }),
  );
  expect(entries.map(({ response }) => response.status)).toEqual([0, 200]);
  expect(entries[0]!.response.comment).toBe("No response in 5 s.");
});

test("redirects are separate entries, with the methods they were followed with", async () => {
  const base = "https://staging.example.com";
  const response = madeResponse({
    url: `${base}/c`,
    redirects: [
      { url: `${base}/a`, status: 302, location: "/b" },
      { url: `${base}/b`, status: 307, location: `${base}/c` },
    ],
  });
  const request = {
    method: "POST",
    url: `${base}/a`,
    headers: [
      ["content-type", "application/json"],
      ["cookie", "session=[secret]; theme=dark"],
    ] as [string, string][],
    body: "{}",
    bodyBytes: 2,
  };
  const { entries } = await getArchive(
    reportedExecution({ attempts: [madeAttempt({ request, response, durationMilliseconds: 184 })] }),
  );
  expect(entries.map(({ request, response, time }) => [request.method, request.url, response.status, time])).toEqual([
    ["POST", `${base}/a`, 302, 100],
    ["GET", `${base}/b`, 307, 0],
    ["GET", `${base}/c`, 200, 84],
  ]);
  expect(entries.map(({ response }) => response.redirectURL)).toEqual(["/b", `${base}/c`, ""]);
  expect(entries[0]!.request.postData).toEqual({ mimeType: "application/json", text: "{}" });
  expect(entries[0]!.request.cookies).toEqual([
    { name: "session", value: "[secret]" },
    { name: "theme", value: "dark" },
  ]);
});

test("a URL remains valid if a secret was redacted in it, or if the sent one was not valid by the standard", async () => {
  const getAddress = async (url: string) => {
    const request = { method: "GET", url, headers: [], body: null, bodyBytes: 0 };
    const { entries } = await getArchive(reportedExecution({ attempts: [madeAttempt({ request })] }));
    return entries[0]!.request;
  };
  const { url, queryString } = await getAddress("https://api.test/keys/[secret]?token=[secret]&a=b%20c");
  expect(url).toBe("https://api.test/keys/%5Bsecret%5D?token=%5Bsecret%5D&a=b%20c");
  expect(queryString).toContainEqual({ name: "token", value: "[secret]" });
  expect((await getAddress("https://[secret].test/a")).url).toBe("https://%5Bsecret%5D.test/a");
  expect((await getAddress("http://[::1]:80/a[b]|c?q=50%&d={e}")).url).toBe(
    "http://[::1]:80/a%5Bb%5D%7Cc?q=50%25&d=%7Be%7D",
  );
});

test("an incomplete response is archived with the part that came, and the reason", async () => {
  const response = madeResponse({ incomplete: true, body: '{"tit', bodyBytes: 5 });
  const cause = { code: "connection_reset", detail: "The connection was reset.", phase: "receive" };
  const { entries } = await getArchive(
    reportedExecution({ attempts: [madeAttempt({ response, verdict: "errored", cause })] }),
  );
  expect(entries[0]!.response).toMatchObject({
    status: 200,
    content: { text: '{"tit', comment: "The body is incomplete." },
    comment: "The connection was reset.",
  });
});

test("a cookie set by the response has no attributes, and a truncated body is marked", async () => {
  const response = madeResponse({
    headers: [["Set-Cookie", "theme=dark; Path=/; HttpOnly"]],
    truncated: true,
    bodyBytes: 1_048_576,
  });
  const { entries } = await getArchive(reportedExecution({ attempts: [madeAttempt({ response })] }));
  expect(entries[0]!.response.cookies).toEqual([{ name: "theme", value: "dark" }]);
  expect(entries[0]!.response.content.comment).toMatch(/cut/);
  expect(entries[0]!.response.content.mimeType).toBe("x-unknown");
});
