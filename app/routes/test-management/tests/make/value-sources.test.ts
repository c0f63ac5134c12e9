import { expect, test } from "vitest";
import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { getSources, memberFor } from "./value-sources";

const use = { variable: "projectId", parameter: "projectId", path: "/projects/{projectId}/tasks" };

function suggestion(path: string, gives: string[], needs: string[] = [], method = "get"): Suggestion {
  const values = needs.map((name) => ({ name, parameter: name, in: "path" as const }));
  return {
    kind: "valid_call",
    reason: "",
    leftOut: 0,
    test: { method, path } as Suggestion["test"],
    values,
    gives,
    gaps: [],
  };
}

const pathsFor = (suggestions: Suggestion[], given = {}) =>
  getSources(use, suggestions, given).map(({ from }) => from.path);

test("a value is searched in the list of its resources, then in responses that name it", () => {
  const known = [
    suggestion("/tasks", ["id", "project_id"]),
    suggestion("/archive/projects", ["id"]),
    suggestion("/projects", ["id", "name"]),
    suggestion("/people", ["id"]),
  ];
  expect(pathsFor(known)).toEqual(["/projects", "/archive/projects", "/tasks"]);
});

test("a list without a documented response is recognized by its path", () => {
  expect(pathsFor([suggestion("/projects/", []), suggestion("/people", [])])).toEqual(["/projects/"]);
});

test("no request changes data or lacks a value", () => {
  const known = [
    suggestion("/projects", ["id"], [], "post"),
    suggestion("/t/{tenantId}/projects", ["id"], ["tenantId"]),
  ];
  expect(pathsFor(known)).toEqual([]);
  expect(pathsFor(known, { tenantId: "acme" })).toEqual(["/t/{tenantId}/projects"]);
});

test("the member named like the value takes precedence over the row's identifier", () => {
  expect(memberFor(["id", "project_id"], use, "/projects")).toBe("project_id");
  expect(memberFor(["name", "uuid"], use, "/projects")).toBe("uuid");
  expect(memberFor(["id", "project.id"], use, "/tasks")).toBe("project.id");
  expect(memberFor(["id"], use, "/tasks")).toBeUndefined();
  expect(memberFor(["id"], { variable: "id", parameter: "id", path: "/{id}" }, "/tasks")).toBeUndefined();
});
