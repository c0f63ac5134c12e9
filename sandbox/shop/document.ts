const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ "application/json": { schema } });
const results = (status: number, description: string, schema?: unknown) => ({
  [status]: { description, ...(schema ? { content: json(schema) } : {}) },
});
const refusals: Record<number, string> = {
  401: "No one is signed in.",
  404: "No such thing.",
  422: "What was sent can't be used.",
};
const refused = (...statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: refusals[status], content: json(ref("Problem")) }]),
  );
const sends = (name: string) => ({ required: true, content: json(ref(name)) });
const identified = (name: string, example?: string) => ({
  ...{ name, in: "path", required: true, schema: { type: "string" } },
  ...(example ? { example } : {}),
});
const signedIn = { security: [{ bearer: [] }] };

const text = { type: "string", minLength: 1 };
const money = { type: "number", minimum: 0 };
const line = {
  type: "object",
  required: ["productId", "quantity"],
  properties: { productId: text, quantity: { type: "integer", minimum: 1 } },
};

/** An object's schema; all its members are required. */
const object = (properties: Record<string, unknown>) => ({
  ...{ type: "object", required: Object.keys(properties), properties },
});
const productFields = { name: text, price: { ...money, description: "In euros." }, category: text };

const schemas = {
  Problem: object({ status: { type: "integer" }, message: text }),
  Login: object({ username: text, password: { type: "string", format: "password" } }),
  Session: object({ token: text, expiresInSeconds: { type: "integer" } }),
  Product: object({ id: text, ...productFields, inStock: { type: "integer", minimum: 0 } }),
  ProductInput: { ...object(productFields), example: { name: "Paper clips", price: 1.9, category: "desk" } },
  Products: object({
    items: { type: "array", items: ref("Product") },
    page: { type: "integer", minimum: 1 },
    pages: { type: "integer", minimum: 0 },
    total: { type: "integer", minimum: 0 },
  }),
  Basket: object({ id: text, lines: { type: "array", items: line } }),
  Quantity: { ...object({ quantity: { type: "integer", minimum: 1, maximum: 99 } }), example: { quantity: 2 } },
  Order: object({
    id: text,
    lines: { type: "array", items: line },
    total: money,
    address: text,
    status: { enum: ["placed", "cancelled"] },
  }),
  OrderInput: object({ basketId: text, address: text }),
  AddressInput: { ...object({ address: text }), example: { address: "2 Paper Lane" } },
  Orders: object({ items: { type: "array", items: ref("Order") }, total: { type: "integer", minimum: 0 } }),
  Sales: object({ orders: { type: "integer", minimum: 0 }, revenue: money }),
};

const productId = identified("productId", "p-1");
const query = (name: string, schema: unknown, example: unknown, description: string) => ({
  ...{ name, in: "query", schema, example, description },
});

const productPaths = {
  "/products": {
    get: {
      ...{ operationId: "listProducts", summary: "Searches products, page by page", tags: ["Products"] },
      parameters: [
        query("search", { type: "string" }, "pen", "In names and categories"),
        query("page", { type: "integer", minimum: 1, default: 1 }, 1, "From 1"),
        query("size", { type: "integer", minimum: 1, maximum: 50, default: 5 }, 5, "Products of a page"),
      ],
      responses: { ...results(200, "A page of products", ref("Products")), ...refused(422) },
    },
    post: {
      ...{ operationId: "createProduct", summary: "Adds a product", tags: ["Products"], ...signedIn },
      requestBody: sends("ProductInput"),
      responses: { ...results(201, "The product", ref("Product")), ...refused(401, 422) },
    },
  },
  "/products/{productId}": {
    parameters: [productId],
    get: {
      ...{ operationId: "getProduct", summary: "One product", tags: ["Products"] },
      responses: { ...results(200, "The product", ref("Product")), ...refused(404) },
    },
    put: {
      ...{ operationId: "changeProduct", summary: "Changes a product", tags: ["Products"], ...signedIn },
      requestBody: sends("ProductInput"),
      responses: { ...results(200, "The product", ref("Product")), ...refused(401, 404, 422) },
    },
    delete: {
      ...{ operationId: "deleteProduct", summary: "Removes a product", tags: ["Products"], ...signedIn },
      responses: { ...results(204, "It was removed"), ...refused(401, 404) },
    },
  },
};

const basketPaths = {
  "/baskets": {
    post: {
      ...{ operationId: "createBasket", summary: "An empty basket", tags: ["Baskets"], ...signedIn },
      responses: { ...results(201, "The basket", ref("Basket")), ...refused(401) },
    },
  },
  "/baskets/{basketId}": {
    parameters: [identified("basketId")],
    get: {
      ...{ operationId: "getBasket", summary: "What is in a basket", tags: ["Baskets"], ...signedIn },
      responses: { ...results(200, "The basket", ref("Basket")), ...refused(401, 404) },
    },
    delete: {
      ...{ operationId: "deleteBasket", summary: "Gives a basket up", tags: ["Baskets"], ...signedIn },
      responses: { ...results(204, "It was removed"), ...refused(401, 404) },
    },
  },
  "/baskets/{basketId}/products/{productId}": {
    parameters: [identified("basketId"), productId],
    put: {
      ...{ operationId: "putIntoBasket", summary: "Puts a product into a basket", tags: ["Baskets"], ...signedIn },
      requestBody: sends("Quantity"),
      responses: { ...results(200, "The basket", ref("Basket")), ...refused(401, 404, 422) },
    },
  },
};

const orderPaths = {
  "/orders": {
    get: {
      ...{ operationId: "listOrders", summary: "The last twenty orders", tags: ["Orders"], ...signedIn },
      responses: { ...results(200, "Orders, the newest first", ref("Orders")), ...refused(401) },
    },
    post: {
      ...{ operationId: "placeOrder", summary: "Orders what is in a basket", tags: ["Orders"], ...signedIn },
      requestBody: sends("OrderInput"),
      responses: { ...results(201, "The order", ref("Order")), ...refused(401, 422) },
    },
  },
  "/orders/{orderId}": {
    parameters: [identified("orderId")],
    get: {
      ...{ operationId: "getOrder", summary: "One order", tags: ["Orders"], ...signedIn },
      responses: { ...results(200, "The order", ref("Order")), ...refused(401, 404) },
    },
    patch: {
      ...{ operationId: "changeAddress", summary: "Sends an order elsewhere", tags: ["Orders"], ...signedIn },
      requestBody: sends("AddressInput"),
      responses: { ...results(200, "The order", ref("Order")), ...refused(401, 404, 422) },
    },
    delete: {
      ...{ operationId: "cancelOrder", summary: "Cancels an order", tags: ["Orders"], ...signedIn },
      responses: { ...results(204, "It is cancelled"), ...refused(401, 404) },
    },
  },
  "/reports/sales": {
    get: {
      ...{ operationId: "readSales", summary: "What was sold; takes its time", tags: ["Orders"], ...signedIn },
      responses: { ...results(200, "Sales", ref("Sales")), ...refused(401) },
    },
  },
};

/** The shop's OpenAPI document: 16 operations. */
export function describeShop(base: string, account: { username: string; password: string }) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Example shop",
      version: "1.0.0",
      description: `A stationery shop that comes with the portal, to try it with. Sign in as \`${account.username}\` with the password \`${account.password}\`. It breaks two of its promises.`,
    },
    servers: [{ url: base }],
    tags: [
      { name: "Session", description: "Signing in" },
      { name: "Products", description: "What there is to buy" },
      { name: "Baskets", description: "What is about to be bought" },
      { name: "Orders", description: "What was bought" },
    ],
    paths: {
      "/login": {
        post: {
          ...{ operationId: "login", summary: "Signs in", tags: ["Session"] },
          requestBody: { required: true, content: { "application/json": { schema: ref("Login"), example: account } } },
          responses: { ...results(200, "A token for the header Authorization", ref("Session")), ...refused(401, 422) },
        },
      },
      ...productPaths,
      ...basketPaths,
      ...orderPaths,
    },
    components: { schemas, securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  };
}
