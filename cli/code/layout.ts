import { basename, dirname, join } from "node:path";
import type { CodeValue } from "./code-object.ts";

/** Path segments that say nothing about what a test is of. */
const general = /^(api|rest|v\d+(\.\d+)*)$/i;

/** The resource of a path: "books" of `/api/v1/books/{bookId}`. */
export function toResource(path: string): string {
  const named = path.split("/").filter((segment) => segment !== "" && !segment.includes("{") && !general.test(segment));
  const words = (named[0] ?? "").toLowerCase().match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 60) ?? "root";
}

/**
 * The file of a new object, in the folder of all. Tests are in a file for each resource: every test has one, whatever its
 * tags, and a review of a change sees the tests of what changed.
 * @param apiFile of the API of a test
 */
export function chooseFile(folder: string, { kind, parent, key, value }: CodeValue, apiFile?: string): string {
  switch (kind) {
    case "api":
      return join(folder, "apis", key, "api.yaml");
    case "test": {
      const isAlone = apiFile !== undefined && basename(apiFile) === "api.yaml";
      const ofApi = isAlone ? dirname(apiFile) : join(folder, "apis", parent!);
      return join(ofApi, "tests", `${toResource(String(value.path))}.yaml`);
    }
    case "maintenanceWindow":
      return join(folder, "maintenance.yaml");
    case "alertChannel":
    case "alertRule":
      return join(folder, "alerts.yaml");
    default:
      return join(folder, "circles", `${kind === "schedule" ? parent : key}.yaml`);
  }
}

const methods = ["get", "head", "post", "put", "patch", "delete"];

/** The order of new objects in a list: tests as a reader looks for them, everything else by key. */
export function compareObjects(one: CodeValue, other: CodeValue): number {
  return compareTexts(toSortKey(one), toSortKey(other));
}

function toSortKey({ kind, key, value }: CodeValue): string {
  if (kind !== "test") return key;
  const method = methods.indexOf(String(value.method).toLowerCase());
  return [String(value.path), method < 0 ? methods.length : method, key].join("\n");
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
