import { expect, test } from "vitest";
import { findPersonError, isMailDomain, readPerson, rolesFor } from "./single-sign-on.ts";

const read = (claims: Record<string, unknown>, rolesClaim = "groups") =>
  readPerson({ sub: "1", email: "ada@example.com", ...claims }, { sub: "1", ...claims }, rolesClaim);
const at = (issuer = "https://login.example.com") => ({ issuer, domains: ["example.com"] });

test("a claim's values are a string or a list of strings, and inherited properties are ignored", () => {
  expect(read({ groups: "writers" }).roleValues).toEqual(["writers"]);
  expect(read({ groups: ["writers", 7, "", " cooks "] }).roleValues).toEqual(["writers", "cooks"]);
  expect(read({ groups: { writers: true } }).roleValues).toEqual([]);
  expect(read({}, "constructor").roleValues).toEqual([]);
});

test("only the signed token determines the user and how they signed in", () => {
  const person = readPerson({ sub: "2", email: "a@b.example", amr: ["mfa"], acr: "phr" }, { sub: "1" }, "");
  expect([person.subject, person.usedSecondFactor]).toEqual(["1", false]);
  expect(read({ amr: ["pwd", "mfa"] }).usedSecondFactor).toBe(true);
  expect(read({ amr: ["pwd"] }).usedSecondFactor).toBe(false);
  expect(read({ acr: "https://refeds.org/profile/mfa" }).usedSecondFactor).toBe(true);
});

test("an address counts at a proven domain unless the provider says that it is not verified", () => {
  expect(findPersonError(read({}), at())).toBeUndefined();
  expect(findPersonError(read({ email_verified: "false" }), at())).toContain("not verified");
  expect(findPersonError(read({ email: "ada@example.com.evil.example" }), at())).toContain("not for addresses");
  expect(findPersonError(read({ email: "ada@evil.example@example.com" }), at())).toContain("no email address");
  expect(findPersonError(read({ email: "@example.com" }), at())).toContain("did not send");
});

test("Google accounts count when the organization manages them", () => {
  const google = at("https://accounts.google.com");
  expect(findPersonError(read({ email_verified: true }), google)).toContain("not managed");
  expect(findPersonError(read({ hd: "example.com" }), google)).toBeUndefined();
});

test("mail domains are plain names only", () => {
  const names = ["example.com", "mail.example.co.uk", "xn--bcher-kva.example"];
  expect(names.filter(isMailDomain)).toEqual(names);
  expect(["*.example.com", "example.com:8443", "10.0.0.1", "[::1]", "localhost"].filter(isMailDomain)).toEqual([]);
});

test("roles follow the claim's values, else the default; without a claim they are unchanged", () => {
  const roles = [
    { value: "a", role: "ADMIN" },
    { value: "b", role: "VIEWER" },
    { value: "c", role: "VIEWER" },
  ];
  const rules = { rolesClaim: "groups", roles, usualRole: "EDITOR" };
  expect(rolesFor({ roleValues: ["c", "a", "b"] }, rules, undefined)).toEqual(["ADMIN", "VIEWER"]);
  expect(rolesFor({ roleValues: ["d"] }, rules, ["ADMIN"])).toEqual(["EDITOR"]);
  expect(rolesFor({ roleValues: [] }, { ...rules, usualRole: null }, ["ADMIN"])).toEqual([]);
  expect(rolesFor({ roleValues: [] }, { ...rules, rolesClaim: "" }, ["ADMIN"])).toEqual(["ADMIN"]);
});
