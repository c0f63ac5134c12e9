import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { isRecord, toRecord, toText } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import { describeContent } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
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
          requestBody: isRecord(body?.value)
            ? {
                required: body.value.required === true,
                description: toText(body.value.description),
                content: describeContent(body.value.content, body.file, "request", context),
              }
            : null,
          responses: Object.entries(toRecord(operation.responses))
            .filter(([status]) => !status.startsWith("x-"))
            .map(([status, response]) => ({
              status,
              description: toText(
                toRecord(resolve(context.set, { file: item.file, pointer: "", value: response })?.value).description,
              ),
            })),
        });
      }
    }
  }
  return described;
}
