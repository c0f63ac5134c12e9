import { expect, test } from "vitest";
import { toVariableName } from "./needed-value.ts";

test("a variable is named after its parameter, or after the resource of a generic name", () => {
  const named = (name: string, path = "/", location = "path") => toVariableName({ name, in: location }, path);
  expect(named("bookId", "/books/{bookId}")).toBe("bookId");
  expect(named("id", "/shops/{shop}/books/{id}")).toBe("bookId");
  expect(named("id", "/status/{id}")).toBe("statusId");
  expect(named("id", "/{id}")).toBe("id");
  expect(named("type", "/shops/{shop}/events", "query")).toBe("eventType");
  expect(named("type", "/tags/{id}", "query")).toBe("tagType");
  expect(named("key", "/", "query")).toBe("key");
  expect(named("key", "/books", "header")).toBe("key");
  expect(named("filter[from]", "/", "query")).toBe("filterFrom");
  expect(named("X-Tenant", "/", "header")).toBe("X-Tenant");
  expect(named("2nd", "/{2nd}")).toBe("_2nd");
});
