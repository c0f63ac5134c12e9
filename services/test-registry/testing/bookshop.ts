import { createHash } from "node:crypto";
import type { CodeTenant } from "./code-world.ts";

const document = [
  "openapi: 3.1.0",
  "info: {title: Books, version: '1'}",
  "servers: [{url: 'https://api.example.com'}]",
  "paths:",
  "  /books: {get: {responses: {'200': {description: ok}}}}",
].join("\n");
const sha256 = createHash("sha256").update(document).digest("hex");

const bookshop: { kind: string; parent?: string; key: string; value: Record<string, unknown> }[] = [
  {
    kind: "api",
    key: "books",
    value: {
      ...{ name: "Books", document: { sha256 }, tags: ["shop"], variables: { shelf: "7" } },
      watch: { url: "https://api.example.com/openapi.yaml", everyMinutes: 60, action: "report" },
      environments: [{ name: "staging", baseUrl: "https://staging.example.com", variables: { a: "b" } }],
    },
  },
  {
    ...{ kind: "test", parent: "books", key: "lists-books" },
    value: {
      ...{ name: "Lists books", method: "get", path: "/books", tags: ["smoke"] },
      request: {
        authorization: {
          kind: "credentials",
          bindings: [{ schemeName: "key", credential: { name: "Shop key", domain: "api.example.com" } }],
        },
      },
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    },
  },
  {
    ...{ kind: "circle", key: "nightly" },
    value: {
      name: "Nightly",
      members: [
        { test: "books/lists-books", phase: "setUp" },
        { api: "books", tag: "smoke" },
      ],
      environments: { books: "staging" },
      variables: [
        { name: "user", value: "ada" },
        { name: "password", value: { secret: "SHOP_PASSWORD" } },
        { name: "pin", value: { reference: { kind: "vault", path: "shop/live", key: "pin" } } },
      ],
    },
  },
  { kind: "circle", key: "hourly", value: { name: "Hourly", members: [{ api: "books" }] } },
  { kind: "schedule", parent: "nightly", key: "daily", value: { cron: "0 2 * * *", timeZone: "Europe/Berlin" } },
  {
    ...{ kind: "maintenanceWindow", key: "deployments" },
    value: {
      ...{ name: "Deployments", circle: "nightly" },
      times: { kind: "repeating", cron: "0 2 * * 6", timeZone: "Europe/Berlin", durationMinutes: 60 },
    },
  },
  { kind: "alertChannel", key: "team", value: { kind: "slack", name: "Team", url: { secret: "SLACK_URL" } } },
  {
    kind: "alertChannel",
    key: "mail",
    value: { kind: "mail", name: "Mail", members: ["ada"], addresses: ["on@example.com"] },
  },
  {
    ...{ kind: "alertChannel", key: "pager" },
    value: { kind: "pagerDuty", name: "Pager", routingKey: { secret: "PAGER_KEY" } },
  },
  {
    ...{ kind: "alertChannel", key: "hook" },
    value: {
      ...{ kind: "webhook", name: "Hook", url: "https://hooks.example.com/alerts" },
      headers: [
        { name: "X-Team", value: "books" },
        { name: "Authorization", value: { secret: "HOOK_AUTHORIZATION" } },
      ],
    },
  },
  {
    ...{ kind: "alertRule", key: "circle-nightly" },
    value: { scope: { kind: "circle", circle: "nightly" }, channels: ["team"], severity: "critical", afterRuns: 2 },
  },
  { kind: "serviceLevel", key: "nightly", value: { objective: 99.5, days: 30 } },
  {
    ...{ kind: "statusPage", key: "nightly" },
    value: {
      ...{ title: "Books", text: "Nightly runs." },
      components: [
        { circle: "hourly", name: "Search" },
        { circle: "nightly", name: "Orders" },
      ],
    },
  },
];
const secrets = {
  SHOP_PASSWORD: "correct horse",
  SLACK_URL: "https://hooks.slack.com/services/T/B/x",
  PAGER_KEY: "e93facc04764",
  HOOK_AUTHORIZATION: "Bearer 8f14e45f",
};

export type Bookshop = ReturnType<typeof createBookshop>;

/** Objects of each kind, as files have them. */
export function createBookshop() {
  return {
    ...{ document, sha256, objects: bookshop, secrets },
    /** With the document's text and the secrets. */
    toApply: async (tenant: CodeTenant) => ({
      ...{ objects: bookshop, secrets, documents: { [sha256]: await tenant.stage(document) } },
    }),
  };
}
