/** Media types of bodies whose encoding of values is known. */
export const templateMediaTypes = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/xml",
] as const;
export type TemplateMediaType = (typeof templateMediaTypes)[number];

/** The values that a body's template may use, with an example of each. Those of an incident are null without one. */
export const templateValues = {
  type: { description: "As in webhooks without a template", example: "incident.opened" },
  title: { description: "The alert in one line", example: "Get a book fails" },
  text: {
    description: "All sentences of the alert, one per line",
    example: "Expected status code 200, got 503.\nIt has failed since 10 Mar 2026, 07:00 UTC. Severity: high.",
  },
  time: { description: "When the alert was created", example: "2026-03-10T07:00:12.000Z" },
  severity: { description: "low, medium, high or critical; null for tests", example: "high" },
  link: { description: "The page in the portal", example: "https://portal.example.com/test-management/incidents/1" },
  "incident.id": {
    description: "The same in all alerts about this incident",
    example: "019cd6a1-4f00-7c41-9d55-3f0a6b2c8e10",
  },
  "incident.title": { description: "What fails", example: "Get a book fails" },
  "incident.cause": { description: "host, certificate, credential or test", example: "test" },
  "incident.causeKey": {
    description: "The same for all incidents with this cause",
    example: "4f1c6f0a3b5e4d2c8a7b9e0d1f2a3b4c",
  },
  "incident.host": { description: "Host of the cause; null for a test", example: "api.example.com" },
  "incident.reason": { description: "Expected and actual result", example: "Expected status code 200, got 503." },
  "incident.since": { description: "The first failing result", example: "2026-03-10T07:00:00.000Z" },
  "incident.resolvedAt": { description: "Null while it is ongoing", example: "2026-03-10T08:30:00.000Z" },
  "incident.failing": { description: "Number of failing tests", example: 1 },
  "incident.link": {
    description: "The incident's page",
    example: "https://portal.example.com/test-management/incidents/1",
  },
  "incident.runLink": {
    description: "The page of the newest failed run",
    example: "https://portal.example.com/test-management/2/runs/3",
  },
  "test.name": { description: "The first failing test", example: "Get a book" },
  "test.method": { description: "Its method", example: "GET" },
  "test.path": { description: "Its path", example: "/books/{bookId}" },
  "test.api": { description: "Its API", example: "Bookshop" },
  "test.circle": { description: "Its circle; null outside circles", example: "Every night" },
  "test.environment": { description: "Its environment; null for the API's own base URL", example: "Staging" },
} as const satisfies Record<string, { description: string; example: string | number }>;
export type TemplateValueName = keyof typeof templateValues;

export const templateValueNames = Object.keys(templateValues) as TemplateValueName[];
