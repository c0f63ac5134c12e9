import { expect, test } from "vitest";
import { findMethodError, getNextStatus, getProofLocations, type ProofStatus, usualMethod } from "./domain-proof.ts";

const now = new Date("2026-03-04T05:00:00Z");
const daily = { now, counted: true };
const requested = { now, counted: false };
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1_000);
const verified: ProofStatus = { state: "verified", provenAt: daysAgo(1), missedChecks: 0, failure: null };
const unverified: ProofStatus = { state: "unverified", provenAt: null, missedChecks: 0, failure: null };
const found = { outcome: "found" } as const;
const missing = { outcome: "missing", failure: "There is no TXT record." } as const;
const unanswered = { outcome: "unanswered", failure: "The name server did not answer." } as const;

test("a domain is proven by a record below its name or by a file on the host, with the same text", () => {
  expect(getProofLocations("api.example.com", "t-1")).toEqual({
    record: { name: "_api-assurance.api.example.com", value: "api-assurance=t-1" },
    file: { url: "https://api.example.com/.well-known/api-assurance.txt", content: "api-assurance=t-1" },
  });
});

test("a port is part of the file's address but not of the record's name", () => {
  const locations = getProofLocations("api.example.com:8443", "t");
  expect(locations.record?.name).toBe("_api-assurance.api.example.com");
  expect(locations.file?.url).toBe("https://api.example.com:8443/.well-known/api-assurance.txt");
});

test("a wildcard is proven by a record at its parent name, never by a file on one host", () => {
  expect(getProofLocations("*.example.com", "t")).toMatchObject({
    record: { name: "_api-assurance.example.com" },
    file: null,
  });
  expect(findMethodError("*.example.com", "wellKnown")).toBe(
    "A wildcard covers many hosts: verify it with a DNS record",
  );
  expect(findMethodError("*.example.com", "dnsTxt")).toBeUndefined();
});

test.each(["127.0.0.1:8080", "[::1]", "localhost"])("%s has no record and is proven by a file", (domain) => {
  expect(usualMethod(domain)).toBe("wellKnown");
  expect(findMethodError(domain, "dnsTxt")).toBe("This host has no DNS name of its own: prove it with a file");
  expect(findMethodError(domain, "wellKnown")).toBeUndefined();
});

test("a proof counts as soon as it is found, by a daily or a manual check", () => {
  for (const check of [daily, requested]) {
    expect(getNextStatus({ ...unverified, failure: "x" }, found, check)).toEqual({ ...verified, provenAt: now });
  }
});

test("a missing proof is reported at once and counts until three daily checks in a row have missed it", () => {
  const first = getNextStatus(verified, missing, daily);
  expect(first).toEqual({ ...verified, missedChecks: 1, failure: missing.failure });
  const second = getNextStatus(first, missing, daily);
  expect(second.state).toBe("verified");
  const third = getNextStatus(second, missing, daily);
  expect(third).toEqual({ ...unverified, provenAt: verified.provenAt, failure: missing.failure });
});

test("finding the proof again resets the count", () => {
  const missedTwice = { ...verified, missedChecks: 2 };
  expect(getNextStatus(missedTwice, found, daily).missedChecks).toBe(0);
});

test("manual checks do not count as missed days", () => {
  const missedTwice = { ...verified, missedChecks: 2 };
  expect(getNextStatus(missedTwice, missing, requested)).toMatchObject({ state: "verified", missedChecks: 2 });
});

test("an unreachable location is no evidence against the proof for 14 days", () => {
  expect(getNextStatus({ ...verified, provenAt: daysAgo(14) }, unanswered, daily)).toMatchObject({
    state: "verified",
    missedChecks: 0,
    failure: unanswered.failure,
  });
  expect(getNextStatus({ ...verified, provenAt: daysAgo(15) }, unanswered, daily).state).toBe("unverified");
});

test("an unverified domain stays unverified, with the reason", () => {
  expect(getNextStatus(unverified, missing, requested)).toEqual({ ...unverified, failure: missing.failure });
});
