import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import {
  isRecord,
  type JsonRecord,
  listOf,
  optionalTextOf,
  recordOf,
  textOf,
  textsOf,
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

export interface OperationPlace {
  path: string;
  method: string;
  item: { value: JsonRecord; file: string };
  operation: JsonRecord;
}

/** One operation in one shape for every version of the standard; samples are generated later (see context). */
export function describeOperation(location: OperationPlace, context: DescriptionContext): DescribedOperation {
  const { path, method, item, operation } = location;
  const { file } = item;
  const found = mergeParameters({ value: item.value.parameters, file }, { value: operation.parameters, file }, context);
  const describeOne = context.components.isSwagger ? describeSwaggerParameter : describeParameter;
  const parameters = found.map((one) => describeOne(one, context)).filter((one) => one !== undefined);
  const requestBody = describeBody(operation, file, found, context);
  const produces = textsOf(operation.produces ?? context.root.produces);
  const responses = describeResponses(operation.responses, file, produces, context);
  const tags = textsOf(operation.tags);
  const { externalDocs } = operation;
  return {
    operationId: optionalTextOf(operation.operationId) ?? null,
    path,
    method,
    summary: textOf(operation.summary) || textOf(item.value.summary),
    tag: tags[0] ?? "",
    tags,
    deprecated: operation.deprecated === true,
    responseStatuses: responses.map(({ status }) => status),
    description: textOf(operation.description) || textOf(item.value.description),
    ...(isRecord(externalDocs) && textOf(externalDocs.url)
      ? {
          externalDocs: {
            url: textOf(externalDocs.url),
            ...(textOf(externalDocs.description) ? { description: textOf(externalDocs.description) } : {}),
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

function toServers({ item, operation }: OperationPlace, context: DescriptionContext): DescribedOperation["servers"] {
  const { set, root } = context;
  if (set.version === "2.0") {
    return operation.schemes === undefined ? context.servers : describeSwaggerServers(root, operation.schemes, set.url);
  }
  const own = [operation.servers, item.value.servers].find((servers) => listOf(servers).length > 0);
  return own === undefined ? context.servers : describeServers(own, set.url);
}

function describeBody(
  operation: JsonRecord,
  file: string,
  parameters: FoundParameter[],
  context: DescriptionContext,
): DescribedOperation["requestBody"] {
  if (context.components.isSwagger) {
    return describeSwaggerBody(parameters, textsOf(operation.consumes ?? context.root.consumes), context);
  }
  const body = resolve(context.set, { file, pointer: "", value: operation.requestBody });
  if (!isRecord(body?.value)) return undefined;
  return {
    required: body.value.required === true,
    description: textOf(body.value.description),
    content: describeContent(recordOf(body.value.content), body.file, "request", context),
  };
}
