import { isRecord, listOf, recordOf } from "../../../kit/json/json-value.ts";
import { fixedMethods } from "../description/path-items.ts";
import { quoted } from "../findings.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule } from "./rule.ts";

export const examinePathItem: Rule = (value, place, { findings, version }) => {
  for (const method of Object.keys(recordOf(value.additionalOperations))) {
    const at = { ...place, pointer: `${place.pointer}/additionalOperations/${method}` };
    if (fixedMethods(version).includes(method.toLowerCase())) {
      findings.error(
        at,
        `${quoted(method)} has a field of its own: describe it as "${method.toLowerCase()}" of the path, not under "additionalOperations".`,
      );
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(method)) {
      findings.error(at, `${quoted(method)} is not a method HTTP can send.`);
    }
  }
};

export const examineOperation: Rule = (value, place, { findings, version }) => {
  if (value.operationId === "") {
    findings.warn(
      { ...place, pointer: childPointer(place.pointer, "operationId") },
      '"operationId" is empty; remove it.',
    );
  }
  if (version !== "2.0") return;
  const parameters = listOf(value.parameters).filter(isRecord);
  const bodies = parameters.filter((parameter) => parameter.in === "body");
  const fields = parameters.filter((parameter) => parameter.in === "formData");
  if (bodies.length > 1) findings.error(place, "An operation can have only one body parameter.");
  if (bodies.length > 0 && fields.length > 0) {
    findings.error(place, "An operation can't have a body parameter and formData parameters at once; keep one kind.");
  }
};

export const examineResponses: Rule = (value, place, { findings }) => {
  if (Object.keys(value).some((name) => !name.startsWith("x-"))) return;
  findings.error(place, 'There is no response; document at least one, as in "200".');
};
