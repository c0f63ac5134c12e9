import { expect, test } from "vitest";
import { parseConfiguration } from "./configuration.ts";
import type { Installation } from "./installation.ts";
import { readyMessage } from "./ready-message.ts";

const installation: Installation = {
  secretsKey: "",
  administratorPasswordFile: "/nowhere/administrator-password.txt",
  keepAdministratorPassword: async () => {},
  newAdministratorPassword: () => undefined,
};
const first: Installation = { ...installation, newAdministratorPassword: () => "correct-horse" };
const message = (environment: Record<string, string>, made = installation) =>
  readyMessage(parseConfiguration(environment), 4_000, made);

test("the address can be opened by a browser on this machine", () => {
  expect(message({})).toContain("The portal is ready at http://127.0.0.1:4000\n");
  expect(message({ HOST: "::1" })).toContain("The portal is ready at http://[::1]:4000\n");
  expect(message({ HOST: "0.0.0.0" })).toContain("The portal is ready at http://localhost:4000\n");
});

test("a public address is printed with the listening one", () => {
  expect(message({ PUBLIC_URL: "https://portal.example.com", HOST: "10.0.0.7" })).toContain(
    "The portal is ready at https://portal.example.com (listening on http://10.0.0.7:4000)\n",
  );
});

test("listening for other machines without a public address prints what is missing", () => {
  expect(message({ HOST: "0.0.0.0" })).toContain("until PUBLIC_URL is set");
  expect(message({})).not.toContain("PUBLIC_URL");
  expect(message({ HOST: "0.0.0.0", PUBLIC_URL: "https://portal.example.com" })).not.toContain("until PUBLIC_URL");
});

test("only the start that created the password prints it", () => {
  expect(message({}, first)).toContain("Sign in as admin with the password correct-horse\n");
  expect(message({})).toContain("Sign in as admin with the ADMIN_PASSWORD of the first start.\n");
});

test("a worker prints nothing about signing in", () => {
  const environment = {
    RUN: "worker,scheduler",
    DATABASE_URL: "postgresql://localhost/portal",
    SECRETS_KEY: "k".repeat(32),
  };
  expect(message(environment, first)).toBe("The worker-and-scheduler is ready at http://127.0.0.1:4000\n");
});
