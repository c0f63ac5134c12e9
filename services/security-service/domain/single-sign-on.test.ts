import { expect, test } from "vitest";
import { faultOfPerson, isMailDomain, readPerson, rolesFor } from "./single-sign-on.ts";

const read = (claims: Record<string, unknown>, rolesClaim = "groups") =>
  readPerson({ sub: "1", email: "ada@example.com", ...claims }, { sub: "1", ...claims }, rolesClaim);
const at = (issuer = "https://login.example.com") => ({ issuer, domains: ["example.com"] });

test("values of a claim are a text or a list of texts, and nothing that objects inherit", () => {
  expect(read({ groups: "writers" }).roleValues).toEqual(["writers"]);
  expect(read({ groups: ["writers", 7, "", " cooks "] }).roleValues).toEqual(["writers", "cooks"]);
  expect(read({ groups: { writers: true } }).roleValues).toEqual([]);
  expect(read({}, "constructor").roleValues).toEqual([]);
});

test("only the signed token says how somebody signed in and who they are", () => {
  const person = readPerson({ sub: "2", email: "a@b.example", amr: ["mfa"], acr: "phr" }, { sub: "1" }, "");
  expect([person.subject, person.usedSecondFactor]).toEqual(["1", false]);
  expect(read({ amr: ["pwd", "mfa"] }).usedSecondFactor).toBe(true);
  expect(read({ amr: ["pwd"] }).usedSecondFactor).toBe(false);
  expect(read({ acr: "https://refeds.org/profile/mfa" }).usedSecondFactor).toBe(true);
});

test("an address counts at a proven domain unless the provider says it is not verified", () => {
  expect(faultOfPerson(read({}), at())).toBeUndefined();
  expect(faultOfPerson(read({ email_verified: "false" }), at())).toContain("not verified");
  expect(faultOfPerson(read({ email: "ada@example.com.evil.example" }), at())).toContain("not for addresses");
  expect(faultOfPerson(read({ email: "ada@evil.example@example.com" }), at())).toContain("no e-mail address");
  expect(faultOfPerson(read({ email: "@example.com" }), at())).toContain("did not send");
});

test("Google's accounts count where the organization manages them", () => {
  const google = at("https://accounts.google.com");
  expect(faultOfPerson(read({ email_verified: true }), google)).toContain("not managed");
  expect(faultOfPerson(read({ hd: "example.com" }), google)).toBeUndefined();
});

test("mail goes to plain names only", () => {
  const names = ["example.com", "mail.example.co.uk", "xn--bcher-kva.example"];
  expect(names.filter(isMailDomain)).toEqual(names);
  expect(["*.example.com", "example.com:8443", "10.0.0.1", "[::1]", "localhost"].filter(isMailDomain)).toEqual([]);
});

test("roles follow the values, else the usual one; without a claim they stay", () => {
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
