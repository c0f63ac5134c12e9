/** Documents of many small pieces: cheap per byte, expensive per piece. */
export const awkwardDocuments: Record<string, () => string> = {
  "19,000 paths": () =>
    getDocument({
      paths: Object.fromEntries(
        Array.from({ length: 19_000 }, (_, index) => [
          `/collections/${index}`,
          { get: { operationId: `operation${index}`, tags: [`Group ${index % 400}`], responses: answered } },
        ]),
      ),
    }),

  "50,000 chained references": () =>
    getDocument({
      paths: {
        "/chain": {
          get: { responses: { "200": { description: "Fine", content: { "application/json": { schema: link(0) } } } } },
        },
      },
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: 50_000 }, (_, index) => [
            `Link${index}`,
            index < 49_999 ? { type: "object", properties: { next: link(index + 1) } } : { type: "string" },
          ]),
        ),
      },
    }),

  "9,000 diagnostics": () =>
    getDocument({
      paths: { "/a": { get: { responses: answered } } },
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: 9_000 }, (_, index) => [`Wrong${index}`, { type: `strin${index}`, nullable: true }]),
        ),
      },
    }),
};

const answered = { "200": { description: "Fine" } };

function link(index: number) {
  return { $ref: `#/components/schemas/Link${index}` };
}

function getDocument(parts: object): string {
  const info = { title: "Awkward", version: "1.0.0" };
  return JSON.stringify({ openapi: "3.1.0", info, servers: [{ url: "https://api.example.com" }], ...parts }, null, 1);
}
