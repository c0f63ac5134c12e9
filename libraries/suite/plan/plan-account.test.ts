import { expect, test } from "vitest";
import { object, operation, text } from "../testing/operations.ts";
import { planAll } from "../testing/plans.ts";

const bearer = { type: "http" as const, name: "bearerAuth", scheme: "bearer" };
const secured = [[{ schemeName: "bearerAuth", scopes: [] }]];
const account = object({ email: text, password: text }, ["email", "password"]);
const signedIn = object({ token: text });
const accounts = [
  operation("POST /sign-up", { body: account, responses: { 200: signedIn } }),
  operation("POST /sign-in", { body: account, responses: { 200: signedIn } }),
  operation("GET /me", { responses: { 200: object({ email: text }) }, security: secured }),
  operation("POST /change-password", {
    body: object({ newPassword: text, currentPassword: text }, ["newPassword", "currentPassword"]),
    security: secured,
  }),
  operation("POST /sign-out", { security: secured }),
  operation("POST /delete-user", { body: object({ password: text }), security: secured }),
  operation("POST /maintenance", { body: object({ on: { type: "boolean" } }, ["on"]), security: secured }),
];

test("where people can sign up, a run's own account is what accounts' operations change, and is deleted", () => {
  const { circles, steps, find } = planAll(accounts, {}, [bearer]);
  expect(steps("Life of an account")).toEqual([
    "main create: post /sign-up",
    "main call: get /me",
    "main call: post /sign-out",
    "main call: post /sign-in",
    "main call: post /change-password",
    "tearDown remove: post /delete-user",
  ]);
  const life = circles.find(({ name }) => name === "Life of an account")!;
  expect(life).toMatchObject({ isSafe: true, makes: ["an account"], leaves: [] });
  expect(find("Sign up").captures).toEqual([
    { name: "accountToken", source: "jsonPath", property: "$.token", secret: true },
  ]);
  expect(find("Sign in").request.body).toEqual(find("Sign up").request.body);
  expect(find("POST /change-password, as a new account").request).toMatchObject({
    authorization: { kind: "none" },
    headers: [{ name: "Authorization", value: "Bearer {{accountToken}}" }],
    body: { text: expect.stringContaining('"currentPassword": "{{signUpPassword}}"') },
  });
  // The password may be the changed one: it is sent only where it is required.
  expect(find("Delete the account").request.body).toMatchObject({ text: "{}" });
});

test("an account that nothing deletes is signed up only where a person ticks it", () => {
  const { circles } = planAll(
    accounts.filter(({ path }) => path !== "/delete-user"),
    {},
    [bearer],
  );
  expect(circles.find(({ name }) => name === "Life of an account")).toMatchObject({
    ...{ isSafe: false, leaves: ["an account"] },
  });
});

test("what changes more than an account is not part of one's life", () => {
  const { circles } = planAll(accounts, {}, [bearer]);
  expect(circles.filter(({ isSafe }) => !isSafe).map(({ name }) => name)).toEqual(["POST /maintenance"]);
  expect(planAll(accounts).circles.every(({ name }) => name !== "Life of an account")).toBe(true);
});
