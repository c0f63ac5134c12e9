import { expect, test } from "vitest";
import { findRequestServer } from "./request-server.ts";

const api = "https://api.example.com/v1";
const described = (url: string) => ({
  documentServers: [{ url: api, resolvedUrl: api, variables: [] }],
  operation: { servers: [{ url, resolvedUrl: url, variables: [] }] },
});
const staging = { name: "Staging", baseUrl: "https://staging.example.com/v1" };

test("an operation's own server is named as such, and whether the environment moves it", () => {
  const own = described("https://api.example.com/upload");
  expect(findRequestServer(undefined, api, own)).toEqual({
    baseUrl: "https://api.example.com/upload",
    ownServerNote: "the document's server for this operation",
  });
  expect(findRequestServer(staging, api, own)).toEqual({
    baseUrl: "https://staging.example.com/upload",
    ownServerNote: "the document's server for this operation, on the host of the environment Staging",
  });
  expect(findRequestServer(staging, api, described("https://upload.example.com"))).toEqual({
    baseUrl: "https://upload.example.com",
    ownServerNote: "the document's server for this operation, on a host that the environment Staging doesn't replace",
  });
});

test("an operation without own servers goes to the environment, else to the API's base URL, without a note", () => {
  expect(findRequestServer(staging, api, { operation: { servers: [] } })).toEqual({ baseUrl: staging.baseUrl });
  expect(findRequestServer(undefined, api, undefined)).toEqual({ baseUrl: api });
  expect(findRequestServer(undefined, null, undefined)).toEqual({ baseUrl: null });
});
