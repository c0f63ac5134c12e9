import { expect, test } from "vitest";
import { toRelyingParty } from "./relying-party.ts";

test("passkeys are bound to the portal's host name, or to localhost on loopback, and to no other IP address", () => {
  const name = { id: "portal.example.com", origin: "https://portal.example.com" };
  expect(toRelyingParty("https://portal.example.com")).toEqual(name);
  const local = { id: "localhost", origin: "http://localhost:3000" };
  expect([toRelyingParty("http://127.0.0.1:3000"), toRelyingParty("http://[::1]:3000")]).toEqual([local, local]);
  expect(toRelyingParty("http://localhost:3000")).toEqual(local);
  expect([toRelyingParty("https://192.0.2.7"), toRelyingParty("https://[2001:db8::1]")]).toEqual([
    undefined,
    undefined,
  ]);
});
