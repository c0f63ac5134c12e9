import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { toPlain } from "../names.ts";
import { assertEchoes } from "../plan/echoes.ts";
import { findReturnedObject, findSentObject, getObject, pathTo } from "../plan/objects.ts";

const decided = /^(created|updated|modified|deleted)/;

/** What was sent has to come back: as `assertEchoes` says, and dates and moments, written in whatever zone. */
export function assertKept(
  sender: OperationWithComponents,
  body: unknown,
  reader: OperationWithComponents,
): Assertion[] {
  const object = findSentObject(sender);
  const sent = (object && getObject(body, object.steps)) ?? {};
  const returned = findReturnedObject(reader, Object.keys(sent));
  const moments = Object.entries(sent).flatMap(([name, value]): Assertion[] => {
    const [own, other] = [object?.members.get(name), returned?.members.get(name)];
    const format = own?.format;
    if (!returned || typeof value !== "string" || other?.format !== format || decided.test(toPlain(name))) return [];
    const place = { source: "jsonPath" as const, property: pathTo(returned, name) };
    if (format === "date") return [{ ...place, comparison: "equals", target: value }];
    return format === "date-time" ? [{ ...place, comparison: "within", target: ["1 s", value] }] : [];
  });
  return [...assertEchoes(sender, body, reader), ...moments];
}
