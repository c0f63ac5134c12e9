import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { needsOperation } from "#libraries/running/operation-need.ts";
import { prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import { sendPrepared } from "#libraries/running/sending/sending.ts";
import { createTemplateRenderer } from "#libraries/running/sending/template-renderer.ts";
import { sampleRequest } from "../app/features/code-samples/sample-request.ts";
import { suggestValidCall } from "../libraries/suite/suggestion/valid-call.ts";
import { readDocument } from "../services/api-registry/testing/reading.ts";

/** What a server receives, as it was on the wire. */
interface Received {
  url: string;
  headers: Record<string, string>;
}

let received: Received | undefined;
const server = createServer((request, response) => {
  const headers: Received["headers"] = {};
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers[request.rawHeaders[at]!.toLowerCase()] = request.rawHeaders[at + 1]!;
  }
  received = { url: request.url!, headers };
  response.end();
});
const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
let origin: string;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const parts = {
  ...{ clock: { now: () => new Date() }, egress, userAgent: "the engine" },
  settings: { current: () => defaultSettings },
  findHostRules: async () => ({ isVerified: true, ruledBy: null, unsafeMethods: "allowed", authorizationConfigs: [] }),
  openCredentials: async () => ({ items: [], refused: [] }),
  accessTokens: { require: async () => "", renew: async () => "" },
} as unknown as SendingParts;

type Version = "2.0" | "3.0" | "3.1" | "3.2";

async function describe(version: Version, parameter: { in: string; name: string }): Promise<OperationWithComponents> {
  const path = parameter.in === "path" ? `/x/{${parameter.name}}/y` : "/x";
  const operation = {
    parameters: [{ required: true, ...parameter }],
    responses: { "200": { description: "ok" } },
  };
  const document = {
    ...(version === "2.0" ? { swagger: version } : { openapi: `${version}.0` }),
    info: { title: "Styles", version: "1" },
    paths: { [path]: { get: operation } },
  };
  const { operations, inspection } = await readDocument({ document: JSON.stringify(document) });
  expect(inspection.usable).toBe(true);
  return { operation: JSON.parse(operations[0]!.described), components: {}, securitySchemes: [] } as never;
}

/** Document → suggested test → bytes at the server; the page's samples write the same. */
async function send(version: Version, parameter: { in: string; name: string }): Promise<Received> {
  const described = await describe(version, parameter);
  const { test: suggested, gaps, values } = suggestValidCall(described, { fields: "all" });
  expect([gaps, values]).toEqual([[], []]);
  const request = testRequest.parse(suggested.request);
  const isNeeded = needsOperation({ path: suggested.path, request, hasOwnServers: false });
  const built = await prepareRequest(parts, {
    ...{ organizationId: "any", method: "get", path: suggested.path, request, isConfirmed: true },
    ...{ baseUrls: [origin], operation: isNeeded ? described : undefined, findOperation: async () => described },
    templates: createTemplateRenderer(() => undefined, parts.clock),
  });
  if (!built.ok) throw new Error(built.cause.detail);
  received = undefined;
  await sendPrepared(parts, built.prepared, 10_000);
  const sample = sampleRequest(described.operation, { baseUrl: origin, securitySchemes: [] });
  const headers = Object.fromEntries(sample.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const name = parameter.in === "cookie" ? "cookie" : parameter.name.toLowerCase();
  expect([sample.url, headers[name]]).toEqual([origin + received!.url, received!.headers[name]]);
  return received!;
}

const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };
const typeOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);
const schemaOf = (value: unknown) => ({ type: typeOf(value), ...(Array.isArray(value) ? { items: {} } : {}) });

/** The part of the request that a parameter in this location is written to. */
function partOf(location: string, { url, headers }: Received): string | undefined {
  if (location === "path") return url.slice("/x/".length, -"/y".length);
  if (location === "query" || location === "querystring") return url.slice("/x?".length);
  return headers[location === "header" ? "color" : "cookie"];
}

type Row = [location: string, style: string, explode: boolean, value: unknown, sent: string];

// OpenAPI 3.1.2 and 3.2.0, "Style Examples", with the percent-encoding of RFC 6570 3.2.1.
const styleExamples: Row[] = [
  ["path", "matrix", false, "blue", ";color=blue"],
  ["path", "matrix", false, list, ";color=blue,black,brown"],
  ["path", "matrix", false, object, ";color=R,100,G,200,B,150"],
  ["path", "matrix", true, "blue", ";color=blue"],
  ["path", "matrix", true, list, ";color=blue;color=black;color=brown"],
  ["path", "matrix", true, object, ";R=100;G=200;B=150"],
  ["path", "label", false, "blue", ".blue"],
  ["path", "label", false, list, ".blue,black,brown"],
  ["path", "label", false, object, ".R,100,G,200,B,150"],
  ["path", "label", true, "blue", ".blue"],
  ["path", "label", true, list, ".blue.black.brown"],
  ["path", "label", true, object, ".R=100.G=200.B=150"],
  ["path", "simple", false, "blue", "blue"],
  ["path", "simple", false, list, "blue,black,brown"],
  ["path", "simple", false, object, "R,100,G,200,B,150"],
  ["path", "simple", true, "blue", "blue"],
  ["path", "simple", true, list, "blue,black,brown"],
  ["path", "simple", true, object, "R=100,G=200,B=150"],
  ["header", "simple", false, "blue", "blue"],
  ["header", "simple", false, list, "blue,black,brown"],
  ["header", "simple", false, object, "R,100,G,200,B,150"],
  ["header", "simple", true, "blue", "blue"],
  ["header", "simple", true, list, "blue,black,brown"],
  ["header", "simple", true, object, "R=100,G=200,B=150"],
  ["query", "form", false, "", "color="],
  ["query", "form", false, "blue", "color=blue"],
  ["query", "form", false, list, "color=blue,black,brown"],
  ["query", "form", false, object, "color=R,100,G,200,B,150"],
  ["query", "form", true, "", "color="],
  ["query", "form", true, "blue", "color=blue"],
  ["query", "form", true, list, "color=blue&color=black&color=brown"],
  ["query", "form", true, object, "R=100&G=200&B=150"],
  ["query", "spaceDelimited", false, list, "color=blue%20black%20brown"],
  ["query", "spaceDelimited", false, object, "color=R%20100%20G%20200%20B%20150"],
  ["query", "pipeDelimited", false, list, "color=blue%7Cblack%7Cbrown"],
  ["query", "pipeDelimited", false, object, "color=R%7C100%7CG%7C200%7CB%7C150"],
  ["query", "deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ["query", "deepObject", false, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ["cookie", "form", false, "", "color="],
  ["cookie", "form", false, "blue", "color=blue"],
  ["cookie", "form", false, list, "color=blue,black,brown"],
  ["cookie", "form", false, object, "color=R,100,G,200,B,150"],
  ["cookie", "form", true, "blue", "color=blue"],
  ["cookie", "form", true, list, "color=blue&color=black&color=brown"],
  ["cookie", "form", true, object, "R=100&G=200&B=150"],
];

// Values with reserved characters, delimiters, what a reader takes for JSON, and other types. RFC 6570, 3.2.
const otherValues: Row[] = [
  ["path", "simple", false, "a/b?c#d%", "a%2Fb%3Fc%23d%25"],
  ["path", "simple", false, ["a,b", "c;d"], "a%2Cb,c%3Bd"],
  ["path", "simple", false, ["blue"], "blue"],
  ["path", "simple", false, ['["x"]', "{y}"], "%5B%22x%22%5D,%7By%7D"],
  ["path", "simple", false, 1.5, "1.5"],
  ["path", "simple", true, [true, false], "true,false"],
  ["path", "label", true, ["a.b", "c"], ".a.b.c"],
  ["path", "matrix", false, { "a=b": "c;d" }, ";color=a%3Db,c%3Bd"],
  ["path", "matrix", true, { "a=b": "c;d", none: "" }, ";a%3Db=c%3Bd;none"],
  ["path", "matrix", true, ["", "x"], ";color;color=x"],
  ["header", "simple", false, ["a b", "c%20d"], "a b,c%20d"],
  ["header", "simple", true, { a: "x y" }, "a=x y"],
  ["query", "form", true, "a&b=c d+é#/?", "color=a%26b%3Dc%20d%2B%C3%A9%23%2F%3F"],
  ["query", "form", true, ["[1]", "{", "a&b"], "color=%5B1%5D&color=%7B&color=a%26b"],
  ["query", "form", true, ["blue"], "color=blue"],
  ["query", "form", true, [1, true, "null"], "color=1&color=true&color=null"],
  ["query", "form", true, { "a b": "c,d" }, "a%20b=c%2Cd"],
  ["query", "form", false, ["a,b", "c"], "color=a%2Cb,c"],
  ["query", "form", false, [""], "color="],
  ["query", "spaceDelimited", false, ["blue"], "color=blue"],
  ["query", "pipeDelimited", false, ["a|b", "c d"], "color=a%7Cb%7Cc%20d"],
  ["query", "pipeDelimited", true, list, "color=blue&color=black&color=brown"],
  ["query", "deepObject", true, { "a b": "c&d" }, "color%5Ba%20b%5D=c%26d"],
  ["cookie", "form", true, "Hello, world! 100%", "color=Hello%2C%20world!%20100%"],
  ["cookie", "form", true, "s%3Aabc.def", "color=s%3Aabc.def"],
  ["cookie", "form", false, ["a,b", "c;d"], "color=a%2Cb,c%3Bd"],
];

test.each([...styleExamples, ...otherValues])(
  "3.x: %s, %s, explode %s: %j arrives as %s",
  async (location, style, explode, value, sent) => {
    const parameter = { name: "color", in: location, style, explode, schema: schemaOf(value), example: value };
    for (const version of ["3.0", "3.1", "3.2"] as const) {
      expect(partOf(location, await send(version, parameter))).toBe(sent);
    }
  },
);

// 3.2.0: cookies without escaping.
test.each<[boolean, unknown, string]>([
  [false, "", "color="],
  [false, "blue", "color=blue"],
  [false, list, "color=blue,black,brown"],
  [false, object, "color=R,100,G,200,B,150"],
  [true, list, "color=blue; color=black; color=brown"],
  [true, object, "R=100; G=200; B=150"],
  [true, { greeting: "Hello%2C world!", code: 42 }, "greeting=Hello%2C world!; code=42"],
  [true, "100% of a b", "color=100% of a b"],
])("3.2: cookie, cookie, explode %s: %j arrives as %s", async (explode, value, sent) => {
  const parameter = { name: "color", in: "cookie", style: "cookie", explode, schema: schemaOf(value), example: value };
  expect(partOf("cookie", await send("3.2", parameter))).toBe(sent);
});

// 2.0, "Parameter Object", collectionFormat; `csv` where none is given.
const byFormat = { csv: ",", ssv: " ", tsv: "\t", pipes: "|" };
const collections = (["path", "query", "header"] as const).flatMap((location) =>
  [undefined, "csv", "ssv", "tsv", "pipes"].map((format): [string, string | undefined, string] => {
    const delimiter = byFormat[(format ?? "csv") as keyof typeof byFormat];
    const isPlain = location === "header" || delimiter === ",";
    const text = list.join(isPlain ? delimiter : encodeURIComponent(delimiter));
    return [location, format, location === "query" ? `color=${text}` : text];
  }),
);
test.each([...collections, ["query", "multi", "color=blue&color=black&color=brown"] as const])(
  "2.0: in %s, collectionFormat %s arrives as %s",
  async (location, collectionFormat, sent) => {
    const parameter = {
      ...{ name: "color", in: location, type: "array", items: { type: "string" } },
      ...{ ...(collectionFormat ? { collectionFormat } : {}), "x-example": list },
    };
    expect(partOf(location, await send("2.0", parameter))).toBe(sent);
  },
);

// RFC 6570, 3.2.3, without the characters that would end the value: the query has its own, a path forbids / ? #.
test.each<[Version, string, unknown, string]>([
  ["3.0", "query", ":/?#[]@!$&'()*+,;= %2F%", "color=:/?%23%5B%5D@!$%26%27()*%2B,;=%20%2F%25"],
  ["3.2", "query", ["a/b", "c&d"], "color=a/b&color=c%26d"],
  ["3.2", "path", ":/?#[]@!$&'()*+,;= %2F%", ":%2F%3F%23%5B%5D@!$&'()*+,;=%20%2F%25"],
  ["3.1", "path", "a:b@c", "a%3Ab%40c"],
])("%s: in %s with allowReserved %j arrives as %s", async (version, location, value, sent) => {
  const parameter = { name: "color", in: location, allowReserved: true, schema: schemaOf(value), example: value };
  expect(partOf(location, await send(version, parameter))).toBe(sent);
});

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const coordinates = { lat: 10, long: 60 };
test.each<[Version, string, string, unknown, string]>([
  ["3.0", "query", json, coordinates, "color=%7B%22lat%22%3A10%2C%22long%22%3A60%7D"],
  ["3.1", "query", json, ["a b"], "color=%5B%22a%20b%22%5D"],
  ["3.1", "query", json, "a", "color=%22a%22"],
  ["3.1", "query", json, 7, "color=7"],
  ["3.1", "path", json, coordinates, "%7B%22lat%22%3A10%2C%22long%22%3A60%7D"],
  ["3.1", "header", json, coordinates, '{"lat":10,"long":60}'],
  ["3.1", "cookie", json, { a: 1 }, "color={%22a%22:1}"],
  ["3.1", "query", "text/plain", "a b", "color=a%20b"],
  ["3.1", "query", form, { a: "b c" }, "color=a%3Db%2Bc"],
  ["3.2", "querystring", form, { foo: "a + b", bar: true }, "foo=a+%2B+b&bar=true"],
  ["3.2", "querystring", form, { a: [1, 2] }, "a=1&a=2"],
  [
    "3.2",
    "querystring",
    json,
    { numbers: [1, 2], flag: null },
    "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
  ],
  ["3.2", "querystring", "application/jsonpath", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"],
  ["3.2", "querystring", "text/plain", "filter[a]=1&b= 2%20", "filter%5Ba%5D=1&b=%202%20"],
])("%s: in %s, content %s: %j arrives as %s", async (version, location, mediaType, value, sent) => {
  const media = { schema: schemaOf(value), example: value };
  const parameter = { name: "color", in: location, content: { [mediaType]: media } };
  expect(partOf(location, await send(version, parameter))).toBe(sent);
});

test("any texts in a list of a query or path arrive as they are in the document, whatever the style", async () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
  const styles = fc.constantFrom<[string, string, boolean]>(
    ["query", "form", true],
    ["query", "form", false],
    ["path", "simple", false],
  );
  await fc.assert(
    fc.asyncProperty(
      styles,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      async ([location, style, explode], items) => {
        fc.pre(!(location === "path" && items.length === 1 && /^\.{1,2}$/.test(items[0]!)));
        const parameter = { name: "color", in: location, style, explode, schema: schemaOf(items), example: items };
        const sent = partOf(location, await send("3.1", parameter))!;
        const values = explode
          ? new URLSearchParams(sent).getAll("color")
          : sent
              .replace(/^color=/, "")
              .split(",")
              .map(decodeURIComponent);
        expect(values).toEqual(items);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
