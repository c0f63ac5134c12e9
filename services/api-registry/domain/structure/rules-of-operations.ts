import { toRecord } from "#libraries/json/json-value.ts";
import { fixedMethods } from "../description/path-items.ts";
import { quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule } from "./rule.ts";

export const validatePathItem: Rule = (value, location, { diagnostics, version }) => {
  for (const method of Object.keys(toRecord(value.additionalOperations))) {
    const at = { ...location, pointer: `${location.pointer}/additionalOperations/${method}` };
    if (fixedMethods(version).includes(method.toLowerCase())) {
      diagnostics.error(
        at,
        `${quoted(method)} has a field of its own: describe it as "${method.toLowerCase()}" of the path, not under "additionalOperations".`,
      );
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(method)) {
      diagnostics.error(at, `${quoted(method)} is not a method HTTP can send.`);
    }
  }
};

export const validateOperation: Rule = (value, location, { diagnostics }) => {
  if (value.operationId === "") {
    diagnostics.warn(
      { ...location, pointer: childPointer(location.pointer, "operationId") },
      '"operationId" is empty; remove it.',
    );
  }
};

export const validateResponses: Rule = (value, location, { diagnostics }) => {
  if (Object.keys(value).some((name) => !name.startsWith("x-"))) return;
  diagnostics.error(location, 'There is no response; document at least one, e.g. "200".');
};
