import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { toCommands, toGitHubWorkflow, toGitLabPipeline } from "./lines.ts";

const origin = "https://portal.example.com";
const names = ["Daily", 'It\'s "nightly" $HOME `id`', "null", "a: b #c", "Éditeurs", "7"];

test("a shell and YAML read the name of a circle as it is, whatever is in it", () => {
  for (const name of names) {
    const runnable = { kind: "circle" as const, name };
    const { run } = toCommands({ origin, version: "1.2.3", runnable });
    const words = execFileSync("sh", ["-c", run.replace(/^npx \S+/, "printf '%s\\n'")], { encoding: "utf8" });
    expect(words).toBe(`run\n--circle\n${name}\n`);
    const { jobs } = parse(toGitHubWorkflow(origin, runnable));
    expect(jobs.api.steps[1].with).toMatchObject({ portal: origin, circle: name });
    expect(parse(toGitLabPipeline(origin, runnable)).include[0].inputs).toEqual({ portal: origin, circle: name });
  }
});

test("lines have the portal's own address", () => {
  const { check } = toCommands({ origin, version: "1.2.3", runnable: { kind: "api", name: "Books" } });
  expect(check).toMatch(/^npx https:\/\/portal\.example\.com\/cli\/1\.2\.3\.tgz check openapi\.yaml /);
});
