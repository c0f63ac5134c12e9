import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { newCredentialForm, storedCredentialForm } from "./credential-form.ts";

const parse = (schema: typeof newCredentialForm, fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseWithZod(form, { schema });
};

test("everything that is missing is reported at once, each at its field", () => {
  const { error } = parse(newCredentialForm, { name: "", domain: "", type: "apiKey", secret: "" }).reply();
  expect(error).toEqual({
    name: ["Give the credential a name"],
    domain: ["Enter a host name, e.g. api.example.com, with a port if it has one"],
    "settings.in": ["Choose where the key goes: header, query or cookie"],
    "settings.parameterName": ["Enter the name of the header or parameter"],
    secret: ["Enter the secret"],
  });
});

test("a type must be chosen", () => {
  const { error } = parse(newCredentialForm, { name: "Orders", domain: "api.test" }).reply();
  expect(error).toMatchObject({ type: ["Choose a type"] });
});

test("fields of another type may be empty or full", () => {
  const given = {
    name: "Orders",
    domain: "api.test",
    type: "basic",
    "settings.username": "ana",
    "settings.in": "query",
  };
  const submission = parse(newCredentialForm, { ...given, secret: "s" });
  expect(submission).toMatchObject({
    status: "success",
    value: { type: "basic", settings: { username: "ana", in: "query" }, secret: "s" },
  });
});

test("a stored credential needs no secret", () => {
  const submission = parse(storedCredentialForm, { name: "Orders", domain: "api.test", type: "bearer", secret: "" });
  expect(submission).toMatchObject({ status: "success", value: { type: "bearer", settings: {} } });
});
