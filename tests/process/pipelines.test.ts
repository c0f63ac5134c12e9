import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { runAssurance } from "../support/command-line.ts";
import { type Forge, startForge } from "../support/forge.ts";
import { readComponent, runAction, runComponent } from "../support/pipeline-steps.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

const forgeToken = "forge-token";
const circle = `It's "nightly" $HOME`;
let portal: PortalProcess;
let target: Server;
let baseUrl: string;
let forge: Forge;
let home: string;
let folder: string;
let token: string;
let status = 200;

beforeAll(async () => {
  target = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end('[{"id":1}]');
  });
  await new Promise<void>((done) => target.listen(0, "127.0.0.1", done));
  baseUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  forge = await startForge(forgeToken);
  portal = await startPortalProcess({ environment: { EGRESS_ALLOW: "loopback", LOG_LEVEL: "error" } });
  home = mkdtempSync(join(tmpdir(), "pipeline-home-"));
  const backend = await signInToBackend(portal);
  const api = requireValue(
    await backend.apiRegistry.registerApi({ body: { source: { document: JSON.stringify(books) }, baseUrl } }),
    "API",
  );
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
  const body = { name: "List books", method: "get", path: "/books", request: {}, assertions };
  const { id: testId } = requireValue(
    await backend.testRegistry.createTest({ params: { apiId: api.id }, body }),
    "test",
  );
  requireValue(await backend.testRegistry.createCircle({ body: { name: circle, members: [{ testId }] } }), "circle");
  const scopes = ["apis:read" as const, "tests:read" as const, "tests:run" as const];
  token = requireValue(await backend.securityService.createApiToken({ body: { name: "CI", scopes } }), "token").token;
}, 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(books, null, 2));
  writeFileSync(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
  forge.comments.length = 0;
  forge.foreign.clear();
  status = 200;
  return () => rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await new Promise((closed) => target.close(closed));
  await forge.close();
  await portal.stop();
});

const books = {
  openapi: "3.1.0",
  info: { title: "Books", version: "1" },
  paths: { "/books": { get: { operationId: "listBooks", responses: { 200: { description: "Books" } } } } },
};

const onGitHub = () => ({
  ...{ HOME: home, GITHUB_API_URL: `${forge.origin}/github`, GITHUB_REPOSITORY: "shop/api", GITHUB_JOB: "api" },
  ...{ GITHUB_EVENT_PATH: join(folder, "event.json"), RUNNER_GITHUB_TOKEN: forgeToken },
});
const onGitLab = () => ({
  ...{ HOME: home, ASSURANCE_TOKEN: token, CI_API_V4_URL: `${forge.origin}/gitlab`, CI_PROJECT_ID: "12" },
  ...{ CI_MERGE_REQUEST_IID: "7", CI_PROJECT_URL: "https://gitlab.example.com/shop/api", GITLAB_TOKEN: forgeToken },
  CI_JOB_NAME: "assurance",
});
const act = (inputs: Record<string, string>) =>
  runAction({ inputs: { portal: portal.origin, token, ...inputs }, environment: onGitHub(), folder });
const runJob = (inputs: Record<string, string>, environment: Record<string, string> = {}) =>
  runComponent({
    inputs: { portal: portal.origin, ...inputs },
    environment: { ...onGitLab(), ...environment },
    folder,
  });

test("the portal serves the action and the component as they are", async () => {
  for (const [path, file] of [
    ["/cli/github/action.yml", "integrations/github/action.yml"],
    ["/cli/gitlab/assurance.yml", "integrations/gitlab/templates/assurance.yml"],
  ]) {
    const served = await fetch(portal.origin + path);
    expect([served.status, await served.text()]).toEqual([200, readFileSync(file!, "utf8")]);
  }
});

test("GitHub: a failed test fails the job with its reason, and the comment is updated once it passes", async () => {
  status = 500;
  const failed = await act({ circle, comment: "true", reports: "junit=reports/junit.xml\n" });
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("Expected status code 200, got 500.")]);
  expect(failed.stdout).toContain("::error title=GET /books%3A List books::Expected status code 200, got 500.");
  expect(readFileSync(join(folder, "reports/junit.xml"), "utf8")).toContain('failures="1"');
  expect(forge.comments.map(({ text }) => text)).toEqual([expect.stringContaining("| Failed | `GET /books`")]);
  expect(forge.comments[0]!.text).toContain(`](${portal.origin}/test-management/`);

  status = 200;
  const passed = await act({ circle, comment: "true" });
  expect(passed.code).toBe(0);
  expect(forge.comments.map(({ text }) => text)).toEqual([expect.stringContaining("1 passed")]);
}, 60_000);

test("GitHub: a document is checked without a portal's token, and what fails is shown at its line", async () => {
  status = 500;
  const inputs = { token: "", document: "openapi.json", url: baseUrl, arguments: "--no-invalid\n--only\nlistBooks" };
  const { code, stdout } = await act(inputs);
  expect(code).toBe(1);
  const line = readFileSync(join(folder, "openapi.json"), "utf8")
    .split("\n")
    .findIndex((one) => one.includes('"get"'));
  expect(stdout).toContain(`::error file=openapi.json,line=${line + 1},`);
}, 60_000);

test("GitHub: what could not be run or judged is a warning and no broken build, unless it is asked for", async () => {
  const away = { portal: "http://127.0.0.1:59999", circle };
  const warned = await act(away);
  expect([warned.code, warned.stdout]).toEqual([0, expect.stringMatching(/^::warning .*fetched from .*ECONNREFUSED/m)]);
  expect((await act({ ...away, "fail-on-error": "true" })).code).toBe(2);
  const unreachable = { document: "openapi.json", url: "http://127.0.0.1:59999", comment: "true" };
  const notJudged = await act(unreachable);
  expect([notJudged.code, notJudged.stdout]).toEqual([0, expect.stringContaining("::warning title=API Assurance::")]);
  expect(forge.comments.map(({ text }) => text)).toEqual([expect.stringContaining("not judged")]);
  // Wrong usage is the repository's own, and is to be mended there.
  expect((await act({ circle: "Unknown" })).code).toBe(3);
  expect((await act({ circle, token: "aap_wrong" })).code).toBe(4);
}, 60_000);

test("GitLab: a failed test fails the job with reports and a comment, which is updated once it passes", async () => {
  status = 500;
  const failed = await runJob({ circle, comment: "true" });
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("Expected status code 200, got 500.")]);
  const { reports } = readComponent().job.artifacts;
  expect(readFileSync(join(folder, reports.junit!), "utf8")).toContain('failures="1"');
  expect(JSON.parse(readFileSync(join(folder, reports.codequality!), "utf8"))).toMatchObject([{ severity: "major" }]);
  expect(forge.comments.map(({ text }) => text)).toEqual([expect.stringContaining("| Failed | `GET /books`")]);
  status = 200;
  const passed = await runJob({ circle, comment: "true" });
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("/-/merge_requests/7#note_100")]);
  expect(forge.comments.map(({ text }) => text)).toEqual([expect.stringContaining("1 passed")]);
}, 60_000);

test("GitLab: what could not be run or judged ends with an exit code that may fail, unless it is asked for", async () => {
  expect(readComponent().job.allow_failure.exit_codes).toEqual([2]);
  const away = { portal: "http://127.0.0.1:59999", circle };
  const warned = await runJob(away);
  expect([warned.code, warned.stderr]).toEqual([2, expect.stringMatching(/fetched from .*ECONNREFUSED/)]);
  expect((await runJob({ ...away, "fail-on-error": "true" })).code).toBe(1);
  const checked = await runJob({
    ...{ document: "openapi.json", url: baseUrl, arguments: "--no-invalid\n--only\nlistBooks" },
  });
  expect([checked.code, existsSync(join(folder, "assurance-junit.xml"))]).toEqual([0, true]);
}, 60_000);

test("a comment is found among many, and one that another user copied is left alone", async () => {
  const file = join(folder, "summary.md");
  writeFileSync(file, "### 1 passed\n");
  const { RUNNER_GITHUB_TOKEN: GITHUB_TOKEN, ...runner } = onGitHub();
  const write = (name: string, environment: Record<string, string> = { GITHUB_TOKEN }) =>
    runAssurance(["comment", "--file", file, "--name", name], { environment: { ...runner, ...environment } });
  forge.comments.push({ id: 1, text: "First" }, { id: 2, text: "Second" }, { id: 3, text: "Third" });
  await write("one");
  await write("other");
  const [marker = ""] = forge.comments[3]!.text.split("\n");
  forge.comments.unshift({ id: 4, text: `${marker}\ncopied` });
  forge.foreign.add(4);
  writeFileSync(file, "### 2 passed\n");
  expect((await write("one")).stdout).toBe(`${forge.origin}/pull/7#issuecomment-103\n`);
  expect(forge.comments.map(({ text }) => text.split("\n").at(1) ?? text)).toEqual([
    ...["copied", "First", "Second", "Third", "### 2 passed", "### 1 passed"],
  ]);

  const refused = await write("one", { GITHUB_TOKEN: "wrong" });
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringMatching(/403: Resource not accessible by integration\. .*`pull-requests: write`/),
  ]);
  expect((await write("one", {})).stderr).toContain("GITHUB_TOKEN is not set");
  const away = await write("one", { GITHUB_TOKEN, GITHUB_API_URL: "http://127.0.0.1:59999" });
  expect([away.code, away.stderr]).toEqual([2, expect.stringContaining("GitHub can't be reached")]);
  writeFileSync(join(folder, "event.json"), JSON.stringify({ ref: "refs/heads/main" }));
  expect((await write("one")).stdout).toContain("no pull or merge request");
  const { GITLAB_TOKEN: _, ...job } = onGitLab();
  const inGitLab = (environment: Record<string, string>) =>
    runAssurance(["comment", "--file", file], { environment: { GITLAB_CI: "true", ...job, ...environment } });
  expect(await inGitLab({})).toMatchObject({ code: 4, stderr: expect.stringContaining("GITLAB_TOKEN is not set") });
  expect(await inGitLab({ GITLAB_TOKEN: "wrong" })).toMatchObject({ code: 4, stderr: expect.stringContaining("401") });
  expect(await runAssurance(["comment", "--file", file])).toMatchObject({ code: 3 });
});
