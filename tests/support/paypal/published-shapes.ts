import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

/** PayPal's published OpenAPI documents (3.0.3, Apache-2.0), to validate both sides of a conversation. */

const names = ["billing_subscriptions_v1", "catalogs_products_v1", "notifications_webhooks_v1"];

interface Operation {
  requestBody?: { content?: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }>; $ref?: string }>;
}

const folder = new URL("../../fixtures/paypal/", import.meta.url);
const documents = names.map((name) => ({
  name,
  document: JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as {
    paths: Record<string, Record<string, Operation>>;
  },
}));

// PayPal's custom formats are not checked; ajv would log each.
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
addFormats(ajv);
for (const { name, document } of documents) ajv.addSchema(document, name);
const compiled = new Map<string, ValidateFunction>();

const escaped = (part: string) => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1"));

function validate(name: string, location: string[], value: unknown): string[] {
  const pointer = `${name}#/${location.map(escaped).join("/")}`;
  const check = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
  compiled.set(pointer, check);
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function findOperation(method: string, path: string) {
  for (const { name, document } of documents) {
    for (const [template, operations] of Object.entries(document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`);
      const operation = operations[method];
      if (pattern.test(path) && operation) return { name, template, operation };
    }
  }
  return undefined;
}

/** The differences of a request and its response from the documents: empty when both sides conform. */
export function findErrors(
  request: { method: string; path: string; body: string },
  result: { status: number; body: string },
): string[] {
  const method = request.method.toLowerCase();
  const found = findOperation(method, request.path);
  if (!found) return [`${request.method} ${request.path} is not published`];
  const { name, template, operation } = found;
  const at = ["paths", template, method];
  const errors: string[] = [];
  const media = "application/json";
  if (operation.requestBody?.content?.[media] && result.status < 400)
    errors.push(...validate(name, [...at, "requestBody", "content", media, "schema"], JSON.parse(request.body)));
  const status = operation.responses[String(result.status)] ? String(result.status) : "default";
  const response = operation.responses[status];
  if (!response) errors.push(`${result.status} is not published`);
  else if (response.content?.[media])
    errors.push(...validate(name, [...at, "responses", status, "content", media, "schema"], JSON.parse(result.body)));
  return errors.map((error) => `${request.method} ${template} ${result.status}: ${error}`);
}
