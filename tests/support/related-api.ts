/** Names of resources, each with those that it is below of, and those that its requests refer to. */
export type Related = Record<string, { below?: string; refersTo?: string[] }>;

/** Shops with shelves and books, members who borrow them, and topics that belong to nothing. */
export const library: Related = {
  shops: {},
  shelves: { below: "shops" },
  books: { below: "shops", refersTo: ["publishers", "authors"] },
  authors: {},
  publishers: {},
  members: { refersTo: ["shops"] },
  loans: { refersTo: ["members", "books"] },
  reminders: { below: "loans" },
  reviews: { below: "members", refersTo: ["books"] },
  topics: {},
};

const toSingular = (name: string) => name.replace(/ves$/, "f").replace(/s$/, "");

/** An OpenAPI document with these resources: each is listed, made, read and removed. */
export function describeRelated(related: Related): string {
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const pathOf = (name: string): string => {
    const { below } = related[name]!;
    return below === undefined ? `/${name}` : `${pathOf(below)}/{${toSingular(below)}Id}/${name}`;
  };
  const listParameters = (path: string) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: "path", required: true, schema: { type: "string", format: "uuid" } },
    }));
  const paths = Object.entries(related).flatMap(([name, { refersTo = [] }]) => {
    const collection = pathOf(name);
    const item = `${collection}/{${toSingular(name)}Id}`;
    const members = Object.fromEntries(
      refersTo.map((one) => [`${toSingular(one)}Id`, { type: "string", format: "uuid" }]),
    );
    const own = {
      type: "object",
      properties: { id: { type: "string", format: "uuid" }, name: { type: "string" }, ...members },
    };
    const sent = { type: "object", properties: { name: { type: "string" }, ...members } };
    return [
      [
        collection,
        {
          parameters: listParameters(collection),
          get: { responses: { 200: { description: "All", ...json({ type: "array", items: own }) } } },
          post: { requestBody: json(sent), responses: { 201: { description: "Made", ...json(own) } } },
        },
      ],
      [
        item,
        {
          parameters: listParameters(item),
          get: { responses: { 200: { description: "One", ...json(own) } } },
          delete: { responses: { 204: { description: "Removed" } } },
        },
      ],
    ];
  });
  return JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Library", version: "1" }, servers: [{ url: "https://library.example" }] },
    paths: Object.fromEntries(paths),
  });
}
