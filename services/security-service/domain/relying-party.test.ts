import { expect, test } from "vitest";
import { relyingPartyOf } from "./relying-party.ts";

test("passkeys are bound to the portal's host name, or to localhost on loopback, and to no other IP address", () => {
  const name = { id: "portal.example.com", origin: "https://portal.example.com" };
  expect(relyingPartyOf("https://portal.example.com")).toEqual(name);
  const local = { id: "localhost", origin: "http://localhost:3000" };
  expect([relyingPartyOf("http://127.0.0.1:3000"), relyingPartyOf("http://[::1]:3000")]).toEqual([local, local]);
  expect(relyingPartyOf("http://localhost:3000")).toEqual(local);
  expect([relyingPartyOf("https://192.0.2.7"), relyingPartyOf("https://[2001:db8::1]")]).toEqual([
    undefined,
    undefined,
  ]);
});
