import { ExactNumber } from "#libraries/json/exact-number.ts";

const body = (mediaType: string, example: unknown, schema: unknown = {}) => ({
  requestBody: { required: true, content: { [mediaType]: { schema, example } } },
});
const parameter = (name: string, location: string, example: unknown, rest: object = {}) => ({
  ...{ name, in: location, required: true, example, schema: {} },
  ...rest,
});
const with_ = (...parameters: object[]) => ({ parameters });
const upload = (kind: string, example: unknown, schema: object, rest: object = {}) => ({
  requestBody: { required: true, content: { [kind]: { schema, example, ...rest } } },
});
const photo = {
  type: "object",
  properties: { title: { type: "string" }, photo: { type: "string", format: "binary" } },
};

/** A double would round it. */
const bigNumber = new ExactNumber("9007199254740993");

/** Requests that samples have to write, by path and method. Every path begins with its number. */
export const sampledOperations: Record<string, Record<string, object>> = {
  "/1": { get: with_(parameter("q", "query", "a b&c=d+e/é*~!'()")) },
  "/2/straße/{id}": { get: with_(parameter("id", "path", "a/b c[1]{2}|é")) },
  "/3": { get: with_(parameter("ids", "query", ["a", "b c"], { schema: { type: "array" } })) },
  "/4": {
    get: with_(parameter("of", "query", { a: 1, b: "c d" }, { style: "deepObject", schema: { type: "object" } })),
  },
  "/5": {
    get: with_(parameter("X-Note", "header", "café 100% \\ it's $HOME"), parameter("theme", "cookie", "dark; é")),
  },
  "/6": { get: with_(parameter("at", "query", "a/b?c:d", { allowReserved: true })) },
  "/7": {
    post: body("application/json", {
      text: "é😀\u2028\n\"'<\\",
      list: [],
      none: {},
      small: 1e-7,
      big: 1e21,
      yes: true,
    }),
  },
  "/8": { post: body("application/json", null) },
  "/9": { post: body("application/merge-patch+json", "a text") },
  "/10": { post: body("text/plain", "@not-a-file\nsecond % line") },
  "/11": { put: body("application/x-www-form-urlencoded", { a: "b c", star: "*~!'()", "na me": "é&=+" }) },
  "/12": { put: body("application/x-www-form-urlencoded", { a: "b", c: "d-e" }) },
  "/13": { post: body("multipart/form-data", { title: 'say "hi"; @x', photo: 'a "b"; \\c' }, photo) },
  "/14": { get: body("application/json", { a: 1 }), delete: body("application/json", { a: 1 }) },
  "/15": { patch: {}, options: {}, head: {}, trace: {}, delete: {}, post: {} },
  "/16?kind=a%20b": { get: with_(parameter("more", "query", "1")) },
  "/17": { post: body("application/xml", "<a>é</a>") },
  "/18": { get: with_(parameter("Content-Type", "header", "a/b"), parameter("Host", "header", "other.test")) },
  "/20": { post: upload("multipart/form-data", { meta: { a: [1, "é"] }, n: 1.5 }, {}) },
  "/21": {
    post: upload(
      "multipart/form-data",
      { meta: { a: 1 }, photo: 'bytes; "x"', note: "it's 100% \\" },
      { properties: { photo: { type: "string", format: "binary" } } },
      {
        encoding: {
          photo: { contentType: "image/png, image/jpeg", headers: { "X-Rotate": { example: "90" } } },
          note: { headers: { "X-Language": { required: true, schema: { enum: ["en"] } } } },
        },
      },
    ),
  },
  "/22": { post: upload("multipart/mixed", { meta: { a: "100% \\ it's" }, text: "two\nlines" }, {}) },
  "/23": { post: upload("multipart/related", [{ title: "a" }, "bytes"], { prefixItems: [{}, { format: "binary" }] }) },
  "/24": {
    post: upload(
      "multipart/form-data",
      { photo: "x" },
      { properties: { photo: { type: "string", contentEncoding: "base64" } } },
      { encoding: { photo: { headers: { "Content-Disposition": { example: 'form-data; name="pic"' } } } } },
    ),
  },
  "/25/{id}": {
    put: {
      ...body("application/json", { id: bigNumber, list: [bigNumber, 1], none: {} }),
      ...with_(
        parameter("id", "path", bigNumber),
        parameter("ids", "query", [bigNumber], { schema: { type: "array" } }),
      ),
    },
  },
  "/19": { get: with_(parameter("X-List", "header", ["a", "b"], { schema: { type: "array" } })) },
};
