import type { CollectedBody, CollectedRequest, Pair, Variable } from "#libraries/collections/collection.ts";
import { encodePart } from "#libraries/openapi/percent-encoding.ts";
import { isSecretName, listWebTokens } from "#libraries/redaction/secret-signs.ts";
import { listTypedSecrets } from "#libraries/running/typed-secrets.ts";

/** A variable as it may leave: without its value if that looks like a secret. */
export function toVariable(name: string, value: string, secret = false): Variable {
  const isSecret = secret || (value !== "" && (isSecretName(name) || listWebTokens(value).length > 0));
  return { name, value: isSecret ? "" : value, secret: isSecret };
}

/**
 * A request whose typed secrets are variables.
 * @param nameVariable gives one name for each secret
 */
export function hideTypedSecrets(
  request: CollectedRequest,
  nameVariable: (secret: string) => string,
): CollectedRequest {
  const secrets = findSecrets(request)
    .filter((secret) => !/^\{\{[^{}]*\}\}$/.test(secret))
    // Longer ones first, since one may be part of another.
    .sort((one, other) => other.length - one.length);
  if (secrets.length === 0) return request;
  const hide = (text: string) =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, `{{${nameVariable(secret)}}}`), text);
  const pairs = <Item extends Pair>(items: Item[]) => items.map((item) => ({ ...item, value: hide(item.value) }));
  return {
    ...request,
    url: hide(request.url),
    pathParameters: pairs(request.pathParameters),
    query: pairs(request.query),
    headers: pairs(request.headers),
    cookies: pairs(request.cookies),
    body: hideBody(request.body, hide, pairs),
  };
}

function hideBody(
  body: CollectedBody,
  hide: (text: string) => string,
  pairs: <Item extends Pair>(items: Item[]) => Item[],
): CollectedBody {
  switch (body.kind) {
    case "none":
      return body;
    case "json":
    case "text":
      return { ...body, text: hide(body.text) };
    case "form":
      return { ...body, fields: pairs(body.fields) };
    case "multipart":
      return { ...body, parts: pairs(body.parts) };
  }
}

/** Also of what is disabled: it is written into files all the same. */
function findSecrets({ url, query, headers, cookies, body }: CollectedRequest): string[] {
  const toQuery = (pairs: Pair[]) => pairs.map(({ name, value }) => `${encodePart(name)}=${encodePart(value)}`);
  const fields = body.kind === "form" ? body.fields : body.kind === "multipart" ? body.parts : [];
  const found = listTypedSecrets({
    ...{ method: "", host: "", origin: "", isOwnServer: false },
    address: url,
    query: toQuery(query),
    headers: headers.map(({ name, value }) => [name, value]),
    cookies: cookies.map(({ name, value }) => `${name}=${value}`),
    body: body.kind === "json" || body.kind === "text" ? body.text : toQuery(fields).join("&"),
    ...{},
  });
  const ofForm = listTypedSecrets({
    ...{ method: "", host: "", origin: "", isOwnServer: false, address: "", query: toQuery(fields) },
    ...{ headers: [], cookies: [], body: undefined },
  });
  return [...new Set([...found, ...ofForm].map(({ secret }) => secret))].filter((secret) => !secret.includes("{{"));
}
