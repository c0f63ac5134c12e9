import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import {
  isRecord,
  type JsonRecord,
  toList,
  toOptionalText,
  toRecord,
  toText,
  toTexts,
} from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import { describeCallbacks } from "./callbacks.ts";
import { describeContent } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
import { describeParameter, type FoundParameter, mergeParameters } from "./parameters.ts";
import { describeResponses } from "./responses.ts";
import { describeSecurity } from "./security.ts";
import { describeServers, describeSwaggerServers } from "./servers.ts";
import { describeSwaggerBody, describeSwaggerParameter } from "./swagger-parameters.ts";

export interface OperationLocation {
  path: string;
  method: string;
  item: { value: JsonRecord; file: string };
  operation: JsonRecord;
}

/** One operation in one shape for every version of the standard; samples are generated later (see context). */
export function describeOperation(location: OperationLocation, context: DescriptionContext): DescribedOperation {
  const { path, method, item, operation } = location;
  const { file } = item;
  const found = mergeParameters({ value: item.value.parameters, file }, { value: operation.parameters, file }, context);
  const describeOne = context.components.isSwagger ? describeSwaggerParameter : describeParameter;
  const parameters = found.map((one) => describeOne(one, context)).filter((one) => one !== undefined);
  const requestBody = describeBody(operation, file, found, context);
  const produces = toTexts(operation.produces ?? context.root.produces);
  const responses = describeResponses(operation.responses, file, produces, context);
  const tags = toTexts(operation.tags);
  const { externalDocs } = operation;
  return {
    operationId: toOptionalText(operation.operationId) ?? null,
    path,
    method,
    summary: toText(operation.summary) || toText(item.value.summary),
    tag: tags[0] ?? "",
    tags,
    deprecated: operation.deprecated === true,
    responseStatuses: responses.map(({ status }) => status),
    description: toText(operation.description) || toText(item.value.description),
    ...(isRecord(externalDocs) && toText(externalDocs.url)
      ? {
          externalDocs: {
            url: toText(externalDocs.url),
            ...(toText(externalDocs.description) ? { description: toText(externalDocs.description) } : {}),
          },
        }
      : {}),
    servers: toServers(location, context),
    parameters,
    ...(requestBody ? { requestBody } : {}),
    responses,
    security: describeSecurity(operation.security) ?? context.security,
    callbacks: describeCallbacks(operation.callbacks, file, context),
  };
}

function toServers({ item, operation }: OperationLocation, context: DescriptionContext): DescribedOperation["servers"] {
  const { set, root } = context;
  if (set.version === "2.0") {
    return operation.schemes === undefined ? context.servers : describeSwaggerServers(root, operation.schemes, set.url);
  }
  const own = [operation.servers, item.value.servers].find((servers) => toList(servers).length > 0);
  return own === undefined ? context.servers : describeServers(own, set.url);
}

function describeBody(
  operation: JsonRecord,
  file: string,
  parameters: FoundParameter[],
  context: DescriptionContext,
): DescribedOperation["requestBody"] {
  if (context.components.isSwagger) {
    return describeSwaggerBody(parameters, toTexts(operation.consumes ?? context.root.consumes), context);
  }
  const body = resolve(context.set, { file, pointer: "", value: operation.requestBody });
  if (!isRecord(body?.value)) return undefined;
  return {
    required: body.value.required === true,
    description: toText(body.value.description),
    content: describeContent(toRecord(body.value.content), body.file, "request", context),
  };
}
