import type { Entry, Har } from "har-format";
import { encodePart } from "../../openapi/percent-encoding.ts";
import type { CollectedRequest } from "../collection.ts";
import { listEnabled, listHeaders, writeAddress } from "./address.ts";
import { type Exported, Losses, type WriteCollection } from "./exported.ts";
import { listCapturedNames, listGroups, mergeVariables } from "./groups.ts";
import { toSlug } from "./names.ts";
import { rewrite } from "./placeholders.ts";
import { addPlainCredential } from "./plain-credential.ts";

/**
 * An HTTP Archive 1.2 of requests without responses. Known variables are filled in; what only a run knows stays a
 * placeholder. A run's report has an archive with what was sent and received.
 */
export const writeHar: WriteCollection = (collection): Exported => {
  const losses = new Losses();
  const values = new Map(
    mergeVariables(collection).flatMap(({ name, value, secret }) => (secret ? [] : [[name, value]])),
  );
  for (const name of listCapturedNames(collection)) values.delete(name);
  const fill = (text: string): string => {
    const filled = rewrite(text, (name) => values.get(name) ?? `{{${name}}}`);
    // A variable's value may use another one.
    return filled === text ? text : rewrite(filled, (name) => values.get(name) ?? `{{${name}}}`);
  };
  const entries = listGroups(collection).flatMap(({ requests }) =>
    requests.map(({ request }) => writeEntry(request, fill, losses)),
  );
  const har: Har = {
    log: { version: "1.2", creator: { name: "API Assurance", version: "1" }, comment: collection.name, entries },
  };
  const path = `${toSlug(collection.name, "requests")}.har`;
  return { files: [{ path, text: `${JSON.stringify(har, null, 2)}\n` }], losses: losses.list };
};

const unjudged = "An archive has requests and no rules about responses.";

function writeEntry(request: CollectedRequest, fill: (text: string) => string, losses: Losses): Entry {
  const { name } = request;
  if (request.assertions.length > 0) losses.add(name, "assertions", unjudged);
  for (const capture of request.captures) losses.add(name, `capture ${capture.name}`, unjudged);
  if (request.waitUntil) losses.add(name, "wait", unjudged);
  if ((request.retries ?? 0) > 0) losses.add(name, "retries", unjudged);
  const query = listEnabled(request.query);
  const headers = listHeaders(request);
  const { authorization } = request;
  const isSent = addPlainCredential(authorization, { headers, query });
  if (!isSent && authorization.kind !== "inherit" && authorization.kind !== "none")
    losses.add(
      name,
      "authorization",
      "An archive has only headers as they are sent, and this one depends on a secret.",
    );
  const sent = headers.map((header) => ({ name: fill(header.name), value: fill(header.value) }));
  const postData = writePostData(request, fill, losses);
  return {
    startedDateTime: "1970-01-01T00:00:00.000Z",
    time: 0,
    request: {
      method: request.method,
      url: toUri(fill(writeAddress({ ...request, query }))),
      httpVersion: "HTTP/1.1",
      cookies: listEnabled(request.cookies).map((cookie) => ({ name: fill(cookie.name), value: fill(cookie.value) })),
      headers: sent,
      queryString: query.map((pair) => ({ name: fill(pair.name), value: fill(pair.value) })),
      ...(postData ? { postData } : {}),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      ...{ status: 0, statusText: "", httpVersion: "", cookies: [], headers: [], redirectURL: "" },
      content: { size: 0, mimeType: "x-unknown" },
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: name,
  };
}

/** A URI (RFC 3986): braces of placeholders are encoded. */
const toUri = (url: string) => url.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/g, encodePart);

function writePostData(request: CollectedRequest, fill: (text: string) => string, losses: Losses) {
  const { body, bodyFile, name } = request;
  if (bodyFile) {
    losses.add(name, `file ${bodyFile.name}`, "Its bytes are not in the export.");
    return { mimeType: bodyFile.mediaType, text: "" };
  }
  switch (body.kind) {
    case "none":
      return undefined;
    case "json":
    case "text":
      return { mimeType: body.mediaType, text: fill(body.text) };
    case "form": {
      const params = listEnabled(body.fields).map((field) => ({ name: fill(field.name), value: fill(field.value) }));
      return { mimeType: "application/x-www-form-urlencoded", params };
    }
    case "multipart": {
      const params = listEnabled(body.parts).map((part) => {
        if (part.fromFile) losses.add(name, `file ${part.fileName ?? part.name}`, "Its bytes are not in the export.");
        return {
          name: fill(part.name),
          ...(part.fromFile ? {} : { value: fill(part.value) }),
          ...(part.fileName ? { fileName: fill(part.fileName) } : {}),
          ...(part.mediaType ? { contentType: fill(part.mediaType) } : {}),
        };
      });
      return { mimeType: "multipart/form-data", params };
    }
  }
}
