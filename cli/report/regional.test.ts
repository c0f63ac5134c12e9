import { expect, test } from "vitest";
import { writeJsonReport } from "../../services/test-executioner/domain/report/json.ts";
import { writeJunitReport } from "../../services/test-executioner/domain/report/junit.ts";
import { reportedExecution, runSummary, writeWhole } from "../../services/test-executioner/testing/reported-run.ts";
import { toCodeQuality, toGitHubAnnotations } from "./annotations.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";

const reason = "Expected status code 200, got 503.";
const { counts } = runSummary();
const run = runSummary({
  verdict: "regional",
  reason,
  counts: { ...counts, executions: 2, passed: 1, regional: 1 },
  places: { rule: "all", ids: [null, "019aa000-0000-7000-8000-0000000000b1"], seriesSize: 1 },
});
const seen = { verdict: "failed", reason, isRegional: true, location: "Berlin", position: 2 } as const;
const executions = [reportedExecution(), reportedExecution(seen)];
const report = { run, executions };
const locate = () => undefined;

test("JUnit has what one place saw as output of a test that passed", async () => {
  const text = await writeWhole(writeJunitReport, run, executions);
  expect(text).toContain('tests="2" failures="0" errors="0"');
  expect(text).toContain('skipped="0"');
  expect(text).toContain(`Regional, failed from this place: ${reason}`);
  expect(text).not.toContain("<failure");
});

test("JSON says of the execution that it is regional", async () => {
  const { run: reported, executions: written } = JSON.parse(await writeWhole(writeJsonReport, run, executions));
  expect([reported.verdict, reported.counts.failed, reported.counts.regional]).toEqual(["regional", 0, 1]);
  expect(written[1]).toMatchObject({ verdict: "failed", isRegional: true, location: "Berlin" });
});

test("HTML names it regional and lists nothing as wrong", () => {
  const html = toHtml(report, locate, "Shop");
  expect(html).toContain("1 passed, 1 regional");
  expect(html).toMatch(/class="verdict[^>]*>Regional/i);
  expect(html).not.toContain("What is wrong");
});

test("a summary does not say that every test passed", () => {
  const markdown = toMarkdown(report, { locate, title: "Shop" });
  expect(markdown).toContain("1 passed, 1 regional");
  expect(markdown).not.toContain("Every test passed");
  expect(markdown).toContain("1 execution failed from fewer places than it says");
});

test("GitHub gets no annotation, and GitLab no finding of code quality", () => {
  expect(toGitHubAnnotations(report, locate)).toBe("");
  expect(JSON.parse(toCodeQuality(report, locate))).toEqual([]);
  const failed = { run, executions: [reportedExecution({ verdict: "failed", reason })] };
  expect(toGitHubAnnotations(failed, locate)).toContain("::error");
  expect(JSON.parse(toCodeQuality(failed, locate))).toHaveLength(1);
});
