import { expect, test } from "vitest";
import { chooseReportType } from "./media-type.ts";

test.each([
  [null, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/*", "application/json"],
  ["text/*", "text/xml"],
  ["application/junit+xml", "application/junit+xml"],
  ["application/xml", "application/xml"],
  ["text/html, application/xml;q=0.9, */*;q=0.8", "application/xml"],
  ["application/json;q=0, */*", "application/junit+xml"],
  ["Application/HAR+JSON; charset=utf-8", "application/har+json"],
  ["text/html, application/har+json;q=0.4, text/xml;q=0.8", "text/xml"],
  ["text/html, */*;q=0.1", "application/json"],
  ["application/json;q=0, text/xml;q=0.1", "text/xml"],
  ["text/html", undefined],
  ["application/json;q=0", undefined],
])("%s selects %s", (accept, type) => {
  expect(chooseReportType(accept)).toBe(type);
});
