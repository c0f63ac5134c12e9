import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { CollectedBody, CollectedRequest, Pair } from "#libraries/collections/collection.ts";
import { chooseBaseUrl } from "#libraries/openapi/base-url.ts";
import { writeHeaderParameter, writePathParameter, writeQueryParameter } from "#libraries/openapi/parameter-style.ts";
import { readParameterText } from "#libraries/openapi/parameter-value.ts";
import { isSecretCapture } from "#libraries/running/captured-secrets.ts";
import { collectAssertions } from "./expected-response.ts";
import type { Execution } from "./fill-row.ts";
import type { ExportedApi } from "./surroundings.ts";

type AddLoss = (what: string, reason: string) => void;

const defaultTimeout = 30_000;

/** A request as a collection has it, without its authorization. */
export function collectRequest(
  test: Execution,
  { api, id, baseUrlVariable }: { api: ExportedApi; id: string; baseUrlVariable: string },
  addLoss: AddLoss,
): CollectedRequest {
  const operation = api.findOperation(test.method, test.path);
  const { request } = test;
  const [path = "", ...written] = test.path.replace(/#.*$/, "").split("?");
  const writtenQuery = written.flatMap((text) =>
    [...new URLSearchParams(text)].map(([name, value]) => toPair(name, value)),
  );
  const own = request.baseUrl?.trim() ? undefined : chooseBaseUrl(api.baseUrl, operation);
  const base = request.baseUrl?.trim() || (own?.ownServer ? own.url! : `{{${baseUrlVariable}}}`);
  if (request.readUntil) addLoss("reading a stream", "Other tools read a response to its end.");
  return {
    ...{ id, file: "", line: 0, name: test.name, folders: [], description: "", enabled: test.enabled },
    method: test.method.toUpperCase(),
    url: base.replace(/\/+$/, "") + path,
    pathParameters: request.pathParameters.flatMap((pair) => writePair("path", pair, operation)),
    query: [...writtenQuery, ...request.query.flatMap((pair) => writePair("query", pair, operation))],
    headers: request.headers.flatMap((pair) => writePair("header", pair, operation)),
    cookies: request.cookies,
    ...collectBody(request.body, addLoss),
    authorization: { kind: "none" },
    followRedirects: request.followRedirects,
    timeoutMilliseconds: test.timeoutMilliseconds === defaultTimeout ? undefined : test.timeoutMilliseconds,
    retries: test.retry.attempts > 1 ? test.retry.attempts - 1 : undefined,
    ...(test.retry.attempts > 1 ? { retryDelayMilliseconds: test.retry.delayMilliseconds } : {}),
    ...(test.waitUntil
      ? {
          waitUntil: {
            everyMilliseconds: test.waitUntil.everySeconds * 1_000,
            atMostMilliseconds: test.waitUntil.atMostSeconds * 1_000,
          },
        }
      : {}),
    assertions: collectAssertions(test, operation, addLoss),
    captures: test.captures.map(({ name, source, property, pattern, secret }) => ({
      ...{ name, source, property, pattern, secret: isSecretCapture({ name, secret }) },
    })),
    operation: {
      document: api.name,
      ...(operation?.operation.operationId ? { operationId: operation.operation.operationId } : {}),
      path: test.path,
    },
  };
}

const toPair = (name: string, value: string, enabled = true): Pair => ({ name, value, enabled });

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Lists and objects as the document serializes them; other values as they are. */
function writePair(
  place: "path" | "query" | "header",
  pair: Pair,
  operation: OperationWithComponents | undefined,
): Pair[] {
  const parameter = operation?.operation.parameters.find(
    (one) =>
      one.in === place &&
      (place === "header" ? one.name.toLowerCase() === pair.name.toLowerCase() : one.name === pair.name),
  );
  if (!parameter || pair.value.includes("{{")) return [pair];
  const value = readParameterText(pair.value, parameter, operation?.components ?? {});
  if (value.shape === "primitive") return [pair];
  if (place === "header") return [{ ...pair, value: writeHeaderParameter(value, parameter) }];
  if (place === "path") return [{ ...pair, value: decode(writePathParameter(pair.name, value, parameter)) }];
  return writeQueryParameter(pair.name, value, parameter).map((text) => {
    const equals = text.indexOf("=");
    return toPair(decode(text.slice(0, equals)), decode(text.slice(equals + 1)), pair.enabled);
  });
}

function collectBody(
  body: Execution["request"]["body"],
  addLoss: AddLoss,
): { body: CollectedBody; bodyFile?: { name: string; mediaType: string } } {
  switch (body.kind) {
    case "none":
    case "text":
    case "form":
      return { body };
    case "json":
      return { body: { ...body, mediaType: body.mediaType ?? "application/json" } };
    case "file":
      return { body: { kind: "none" }, bodyFile: { name: body.file.name, mediaType: body.mediaType } };
    case "multipart": {
      if (body.mediaType && !/^multipart\/form-data\b/i.test(body.mediaType))
        addLoss(`media type ${body.mediaType}`, "The parts are sent as a form: multipart/form-data.");
      const parts = body.parts.map(({ name, value, enabled, file, fileName, mediaType, headers }) => {
        if (headers && headers.length > 0) addLoss(`headers of the part ${name}`, "Other tools write them themselves.");
        return {
          name,
          value,
          enabled,
          mediaType,
          fileName: fileName ?? file?.name,
          ...(file ? { fromFile: true } : {}),
        };
      });
      return { body: { kind: "multipart", parts } };
    }
  }
}
