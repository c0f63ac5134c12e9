import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { JsonHighlight } from "~/ui/json-view/fold-json";

/** Locations of errors in the body, with their messages; an error that both an assertion and a check find is marked once. */
export function bodyMarks(verifications: readonly Verification[]): JsonHighlight[] {
  const marks = verifications
    .filter(({ outcome }) => outcome === "failed")
    .flatMap(({ schemaErrors = [], pointer, message }) => {
      if (schemaErrors.length > 0) return schemaErrors;
      return pointer === undefined ? [] : [{ pointer, message }];
    })
    .map(({ pointer, message }) => ({ pointer, tone: "danger" as const, note: withoutLocation(message) }));
  return [...new Map(marks.map((mark) => [`${mark.pointer} ${mark.note}`, mark])).values()];
}

/** Errors of headers, by lower-case name. */
export function headerMarks(verifications: readonly Verification[]): ReadonlyMap<string, string> {
  return new Map(
    verifications.flatMap(({ outcome, source, property, message }) =>
      outcome === "failed" && source === "header" && property
        ? [[property.toLowerCase(), withoutLocation(message)] as const]
        : [],
    ),
  );
}

/** An error's message without its location, for display next to the value: `$.amount: expected a number, …` from "expected" on. */
export function withoutLocation(message: string): string {
  const expected = message.indexOf(": expected ");
  if (expected >= 0) return message.slice(expected + 2);
  const location = /^\$\S*: /.exec(message)?.[0] ?? "";
  return message.slice(location.length);
}
