import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiServer } from "#contracts/api-registry/documents.ts";
import { chooseBaseUrl } from "./base-url.ts";
import { resolveServerUrl } from "./server-url.ts";

const toServer = (url: string, variables: ApiServer["variables"] = []): ApiServer => {
  const resolvedUrl = resolveServerUrl(url, variables, undefined);
  return { url, variables, ...(resolvedUrl ? { resolvedUrl } : {}) };
};
const choose = (chosen: string | null, documented: string[], own: string[]) =>
  chooseBaseUrl(chosen, {
    documentServers: documented.map((url) => toServer(url)),
    operation: { servers: own.map((url) => toServer(url)) },
  });

const api = "https://api.example.com/v1";
const sandbox = "https://sandbox.example.com/v1";

test.each<[name: string, chosen: string | null, documented: string[], own: string[], url: string]>([
  ["another path", api, [api], ["https://api.example.com/pathlevel"], "https://api.example.com/pathlevel"],
  ["another host", api, [api], ["https://upload.example.com/v1"], "https://upload.example.com/v1"],
  ["another port", api, [api], ["https://api.example.com:8443/v1"], "https://api.example.com:8443/v1"],
  ["no base URL known", null, [], ["https://upload.example.com/v1/"], "https://upload.example.com/v1"],
  ["2.0's schemes", "https://api.example.com/v1", [api], ["http://api.example.com/v1"], "http://api.example.com/v1"],
  ["relative", api, [api], ["/pathlevel"], "https://api.example.com/pathlevel"],
  ["relative in a relative document", "http://127.0.0.1:80/api/v1", ["/api/v1"], ["/files"], "http://127.0.0.1/files"],
  ["below the document's", api, [api], [`${api}/files`], `${api}/files`],
  ["the document's second one", api, [api, sandbox], [sandbox], api],
  [
    "the API's is the document's second one",
    sandbox,
    [api, sandbox],
    ["https://api.example.com/files"],
    "https://sandbox.example.com/files",
  ],
  [
    "one for each of the document's",
    sandbox,
    [api, sandbox],
    ["https://api.example.com/a", "https://sandbox.example.com/b"],
    "https://sandbox.example.com/b",
  ],
  [
    "two of the document's on one host",
    "https://api.example.com/v2",
    [api, "https://api.example.com/v2"],
    [`${api}/files`],
    `${api}/files`,
  ],
])("an operation's own server is used as documented or on the chosen host: %s", (_, chosen, documented, own, url) => {
  expect(choose(chosen, documented, own).url).toBe(url);
});

test.each<[name: string, environment: string, own: string, url: string]>([
  [
    "its host",
    "https://staging.example.com/v1",
    "https://api.example.com/pathlevel",
    "https://staging.example.com/pathlevel",
  ],
  [
    "its scheme and port",
    "http://localhost:8080/v1",
    "https://api.example.com/pathlevel",
    "http://localhost:8080/pathlevel",
  ],
  [
    "another path for the same",
    "https://staging.example.com/api/v2",
    `${api}/files`,
    "https://staging.example.com/api/v2/files",
  ],
  ["no path", "http://localhost:8080", "https://api.example.com/pathlevel", "http://localhost:8080/pathlevel"],
  [
    "a gateway's prefix",
    "https://gateway.example.com/staging/v1",
    "https://api.example.com/pathlevel",
    "https://gateway.example.com/staging/pathlevel",
  ],
  [
    "a prefix on the same host",
    "https://api.example.com/staging/v1",
    "https://api.example.com/pathlevel",
    "https://api.example.com/staging/pathlevel",
  ],
  [
    "a query",
    "https://staging.example.com/v1?tenant=a",
    "https://api.example.com/pathlevel",
    "https://staging.example.com/pathlevel?tenant=a",
  ],
])("an environment moves an operation's own server on the document's host: %s", (_, environment, own, url) => {
  expect(choose(environment, [api], [own])).toEqual({ url, ownServer: "moved" });
});

test("an environment doesn't move a server on a host that the document's servers don't have", () => {
  expect(choose("https://staging.example.com/v1", [api], ["https://upload.example.com/v1"])).toEqual({
    url: "https://upload.example.com/v1",
    ownServer: "documented",
  });
});

test("of several own servers the one on the chosen host precedes one that moves, and that one others", () => {
  const own = ["https://upload.example.com", "https://api.example.com/upload", "https://eu.example.com/upload"];
  expect(choose("https://eu.example.com/v1", [api], own).url).toBe("https://eu.example.com/upload");
  expect(choose("https://staging.example.com/v1", [api], own).url).toBe("https://staging.example.com/upload");
  expect(choose("https://staging.example.com/v1", ["https://other.example.com"], own).url).toBe(own[0]);
});

test("variables of a server have their defaults, and a server that lacks one is passed over", () => {
  const region = { name: "region", default: "eu" };
  const documentServers = [toServer("https://{region}.example.com/v1", [region])];
  const of = (...servers: ApiServer[]) => ({ documentServers, operation: { servers } });
  const own = toServer("https://{region}.example.com/upload", [region]);
  expect(chooseBaseUrl("https://eu.example.com/v1", of(own)).url).toBe("https://eu.example.com/upload");
  expect(chooseBaseUrl("https://us.example.com/v1", of(own)).url).toBe("https://us.example.com/upload");
  const lacking = toServer("https://{shop}.example.com");
  expect(chooseBaseUrl(null, of(lacking, own)).url).toBe("https://eu.example.com/upload");
  expect(chooseBaseUrl("https://eu.example.com/v1", of(lacking))).toEqual({ url: "https://eu.example.com/v1" });
});

test("an operation without own servers and an unreadable base URL leave the choice as it is", () => {
  expect(chooseBaseUrl(" https://staging.example.com/v1 ", { operation: { servers: [toServer(api)] } })).toEqual({
    url: "https://staging.example.com/v1",
  });
  expect(chooseBaseUrl("", undefined)).toEqual({ url: null });
  expect(choose("example.com", [api], ["https://upload.example.com"])).toEqual({ url: "example.com" });
});

const host = fc.constantFrom("a.example.com", "b.example.com", "c.example.com:8080");
const path = fc
  .array(fc.constantFrom("v1", "v2", "api", "files"), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part}`).join(""));
const url = fc
  .tuple(fc.constantFrom("http", "https"), host, path)
  .map(([scheme, at, below]) => `${scheme}://${at}${below}`);

test("requests stay as documented where the document's server is in use, and otherwise leave no host but these two", () => {
  fc.assert(
    fc.property(url, url, url, (documented, own, chosen) => {
      expect(choose(documented, [documented], [own])).toEqual({ url: own, ownServer: "documented" });
      expect(choose(null, [documented], [own]).url).toBe(own);
      const { host: to } = new URL(choose(chosen, [documented], [own]).url!);
      const [from, ownHost, target] = [documented, own, chosen].map((one) => new URL(one).host);
      expect(to).toBe(ownHost === from ? target : ownHost);
    }),
  );
});
