import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import { getTypes } from "./compare-values.ts";
import type { OperationContext } from "./operation-context.ts";
import { getDirections, toRule } from "./roles.ts";

type Parameters = readonly OperationParameter[];

/** @param before with path parameters called as they are after */
export function compareParameters(before: Parameters, after: Parameters, context: OperationContext, of = ""): void {
  const { changes, role } = context;
  const toName = ({ in: location, name }: OperationParameter) =>
    `${location} parameter "${location === "header" ? name.toLowerCase() : name}"${of}`;
  const old = new Map(before.map((parameter) => [toName(parameter), parameter]));
  for (const parameter of after) {
    const name = toName(parameter);
    const known = old.get(name);
    old.delete(name);
    if (known) compareParameter(known, parameter, `the ${name}`, context);
    else if (!parameter.required) changes.add(toRule(role, "parameter.added"), `The ${name} is new.`);
    else changes.add(toRule(role, "parameter.added-required"), `The ${name} is new and required.`);
  }
  for (const name of old.keys()) changes.add(toRule(role, "parameter.removed"), `The ${name} was removed.`);
}

function compareParameter(
  old: OperationParameter,
  now: OperationParameter,
  called: string,
  context: OperationContext,
): void {
  const { changes, role, schemas } = context;
  const subject = `T${called.slice(1)}`;
  if (now.required && !old.required) changes.add(toRule(role, "parameter.required"), `${subject} is required now.`);
  if (!now.required && old.required) {
    changes.add(toRule(role, "parameter.optional"), `${subject} is no longer required.`);
  }
  const [before, after] = [getSerialization(old, context, "before"), getSerialization(now, context, "after")];
  if (before !== after) {
    const sentence = `${subject} is written differently: ${before} became ${after}.`;
    changes.add(toRule(role, "parameter.serialization-changed"), sentence);
  }
  if (role === "caller") compareAllowance(old, now, subject, changes);
  if (now.deprecated && !old.deprecated) changes.add("parameter.deprecated", `${subject} is deprecated now.`);
  if (!now.deprecated && old.deprecated) context.noteTexts();
  schemas.compare(old.schema, now.schema, getDirections(role).request, called, context);
}

function compareAllowance(
  old: OperationParameter,
  now: OperationParameter,
  subject: string,
  changes: OperationContext["changes"],
): void {
  if (old.allowReserved && !now.allowReserved) {
    changes.add("parameter.reserved-refused", `${subject} no longer allows reserved characters as they are.`);
  }
  if (!old.allowReserved && now.allowReserved) {
    changes.add("parameter.reserved-allowed", `${subject} allows reserved characters as they are now.`);
  }
  const [couldBeEmpty, canBeEmpty] = [old.allowEmptyValue ?? false, now.allowEmptyValue ?? false];
  if (couldBeEmpty && !canBeEmpty) changes.add("parameter.empty-refused", `${subject} must no longer be empty.`);
  if (!couldBeEmpty && canBeEmpty) changes.add("parameter.empty-allowed", `${subject} may be empty now.`);
}

/** Exploding makes a difference for lists and objects only. */
function getSerialization(
  parameter: OperationParameter,
  { schemas }: OperationContext,
  side: "before" | "after",
): string {
  const { contentMediaType, style, explode, schema } = parameter;
  if (contentMediaType !== undefined) return contentMediaType;
  const types = getTypes(schemas[side].flatten(schema === undefined ? [] : [schema]));
  const isScalar = types !== undefined && !types.has("array") && !types.has("object");
  if (isScalar && ["form", "spaceDelimited", "pipeDelimited", "tabDelimited"].includes(style)) return "form";
  return explode && !isScalar ? `${style}, exploded` : style;
}
