import { expect, test } from "vitest";
import { effectInWords, type StepInWords, stepsInWords } from "./plan-words";

type Line = [StepInWords["does"], string, StepInWords["phase"]?, StepInWords["effect"]?];
const steps = (...lines: Line[]): StepInWords[] =>
  lines.map(([does, operation, phase = "main", effect]) => {
    const [method = "", path = ""] = operation.split(" ");
    return { does, phase, method, path, effect };
  });

test("the steps of a circle are one line, in order, with those of set-up and tear-down", () => {
  const life = steps(
    ["create", "post /books"],
    ["read", "get /books/{id}"],
    ["list", "get /books"],
    ["change", "patch /books/{id}"],
    ["readChanged", "get /books/{id}"],
    ["remove", "delete /books/{id}", "tearDown"],
    ["findGone", "get /books/{id}", "tearDown"],
  );
  expect(stepsInWords(life)).toBe("POST → GET → list → PATCH → GET, then DELETE → gone");
  const review = steps(["create", "post /books", "setUp"], ["create", "post /books/{id}/reviews"]);
  expect(stepsInWords(review)).toBe("first POST, POST");
});

test("equal neighbours are counted", () => {
  const calls = steps(["call", "get /a"], ["call", "get /b"], ["call", "post /c"], ["call", "get /d"]);
  expect(stepsInWords(calls)).toBe("2 × GET → POST → GET");
});

test("what is made and removed, changed and left is said apart", () => {
  const life = { kind: "life" as const, isSafe: true, makes: ["a shop", "an order"], leaves: ["an order"] };
  expect(effectInWords(life, [])).toBe("Creates a shop and removes it again.");
  expect(effectInWords({ ...life, leaves: [] }, [])).toBe("Creates a shop and an order and removes them again.");
  expect(effectInWords({ ...life, makes: ["an order"] }, [])).toBe("");
  const reads = { kind: "reads" as const, isSafe: true, makes: [], leaves: [] };
  expect(effectInWords(reads, steps(["list", "get /books"]))).toBe("Changes nothing.");
});

test("what is not safe says which operations change something", () => {
  const setting = { kind: "setting" as const, isSafe: false, makes: [], leaves: [] };
  const mode = steps(
    ["read", "get /mode"],
    ["change", "put /mode", "main", "allowed"],
    ["putBack", "put /mode", "tearDown", "allowed"],
  );
  expect(effectInWords(setting, mode)).toBe("Changes existing data: PUT /mode, and puts it back.");
  const paths = ["/a", "/b", "/c", "/d", "/a", "/e"];
  const many = steps(...paths.map((path): Line => ["call", `post ${path}`]), ["call", "get /f"]);
  expect(effectInWords({ ...setting, kind: "calls" }, many)).toBe(
    "Changes existing data: POST /a, POST /b, POST /c, and 2 more.",
  );
});
