import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { toPlain } from "../names.ts";
import { writePlaceholders } from "../suggestion/body-placeholders.ts";
import { findReturnedObject, findSentObject, getObject, pathTo } from "./objects.ts";

/** What servers may write in another way than it was sent, or decide themselves. */
const secret = /password|secret|token|pin|cvv|credential/;
const decided = /^(status|state|phase|version|revision|etag|created|updated|modified|createdat|updatedat)$/;
const kept = new Set([undefined, "email", "uuid", "int32", "int64"]);
const maxEchoes = 10;

/** Whether a member that was sent has to come back as it was. */
function isKept(name: string, sent: JsonRecord | undefined, returned: JsonRecord): boolean {
  if (!sent || returned.writeOnly === true || sent.readOnly === true) return false;
  const type = getSchemaType(sent);
  const plain = toPlain(name);
  const isText =
    type === "string" && kept.has(sent.format as string | undefined) && kept.has(returned.format as string);
  return (
    type === getSchemaType(returned) &&
    (isText || type === "integer" || type === "number" || type === "boolean") &&
    !secret.test(plain) &&
    !decided.test(plain)
  );
}

/** Assertions that a response has what a request sent: texts, numbers and booleans that both document. */
export function assertEchoes(
  sender: OperationWithComponents,
  body: unknown,
  reader: OperationWithComponents,
): Assertion[] {
  const object = findSentObject(sender);
  const sent = object && getObject(body, object.steps);
  const returned = sent && findReturnedObject(reader, Object.keys(sent));
  if (!object || !sent || !returned) return [];
  return Object.entries(sent)
    .flatMap(([name, value]): Assertion[] => {
      const member = returned.members.get(name);
      if (!member || !isKept(name, object.members.get(name), member)) return [];
      if (!["string", "number", "boolean"].includes(typeof value)) return [];
      const target = typeof value === "string" ? writePlaceholders(value) : value;
      const isText = typeof value === "string" && target === value;
      const variableType = isText && /^\{\{[^{}]+\}\}$/.test(value) ? { variableType: "text" as const } : {};
      return [{ source: "jsonPath", property: pathTo(returned, name), comparison: "equals", target, ...variableType }];
    })
    .slice(0, maxEchoes);
}
