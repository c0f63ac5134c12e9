import type { DescribedOperation, OperationParameter } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toRecord, toText } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import { describeContent } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
import { describeParameter, mergeParameters } from "./parameters.ts";
import { operationsOfPathItem } from "./path-items.ts";

const maxCallbacks = 100;

export function describeCallbacks(
  value: unknown,
  file: string,
  context: DescriptionContext,
): DescribedOperation["callbacks"] {
  const described: DescribedOperation["callbacks"] = [];
  for (const [name, raw] of Object.entries(toRecord(value)).slice(0, maxCallbacks)) {
    const callback = resolve(context.set, { file, pointer: "", value: raw });
    if (!callback) continue;
    for (const [expression, rawItem] of Object.entries(toRecord(callback.value)).slice(0, maxCallbacks)) {
      if (expression.startsWith("x-")) continue;
      const item = resolve(context.set, { file: callback.file, pointer: "", value: rawItem });
      if (!item || !isRecord(item.value)) continue;
      for (const { method, value: operation } of operationsOfPathItem(item.value, context.set.version)) {
        const body = resolve(context.set, { file: item.file, pointer: "", value: operation.requestBody });
        described.push({
          name,
          expression,
          method,
          summary: toText(operation.summary),
          description: toText(operation.description),
          parameters: describeParameters(item, operation, context),
          requestBody: isRecord(body?.value)
            ? {
                required: body.value.required === true,
                description: toText(body.value.description),
                content: describeContent(body.value.content, body.file, "request", context),
              }
            : null,
          responses: Object.entries(toRecord(operation.responses))
            .filter(([status]) => !status.startsWith("x-"))
            .map(([status, response]) => describeAnswer(status, response, item.file, context)),
        });
      }
    }
  }
  return described;
}

function describeParameters(
  item: { value: unknown; file: string },
  operation: JsonRecord,
  context: DescriptionContext,
): OperationParameter[] {
  const ofPath = { value: toRecord(item.value).parameters, file: item.file };
  const found = mergeParameters(ofPath, { value: operation.parameters, file: item.file }, context);
  return found.map((one) => describeParameter(one, context)).filter((one) => one !== undefined);
}

/** A response that the receiver of a callback gives. */
function describeAnswer(status: string, raw: unknown, file: string, context: DescriptionContext) {
  const target = resolve(context.set, { file, pointer: "", value: raw });
  const { description, content } = toRecord(target?.value);
  return {
    status,
    description: toText(description),
    content: describeContent(content, target?.file ?? file, "request", context),
  };
}
