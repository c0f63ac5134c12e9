import type { MediaTypeContent } from "#contracts/api-registry/operations.ts";
import { compareContent } from "./compare-content.ts";
import type { OperationContext } from "./operation-context.ts";
import { getDirections, toRule } from "./roles.ts";

export interface ComparedBody {
  required: boolean;
  content: MediaTypeContent[];
}

export function compareBodies(
  old: ComparedBody | undefined,
  now: ComparedBody | undefined,
  context: OperationContext,
  of = "",
): void {
  const { changes, role } = context;
  const called = `the request body${of}`;
  const subject = `T${called.slice(1)}`;
  if (!old && now?.required) changes.add(toRule(role, "body.added-required"), `${subject} is new and required.`);
  else if (!old && now) changes.add(toRule(role, "body.added"), `${subject} is new.`);
  else if (old && !now) changes.add(toRule(role, "body.removed"), `${subject} was removed.`);
  if (!old || !now) return;
  if (now.required && !old.required) changes.add(toRule(role, "body.required"), `${subject} is required now.`);
  if (!now.required && old.required) changes.add(toRule(role, "body.optional"), `${subject} is no longer required.`);
  compareContent(old.content, now.content, getDirections(role).request, called, context);
}
