/** An object before and after, in a request or response, the expected rule, and whether it may break clients. */
export type MemberRow = [
  what: string,
  side: "request" | "response",
  before: object,
  after: object,
  rules: [rule: string, breaking: boolean][],
];

const text = { type: "string" };
const object = (properties: object, rest = {}) => ({ type: "object", properties, ...rest });
const closed = { additionalProperties: false };

export const memberRows: MemberRow[] = [
  ["an optional member", "request", object({}), object({ a: text }), [["request.property.added", false]]],
  [
    "a required member",
    "request",
    object({}),
    object({ a: text }, { required: ["a"] }),
    [["request.property.added-required", true]],
  ],
  ["a member less", "request", object({ a: text }), object({}), [["request.property.removed-open", false]]],
  [
    "a member less of a closed request",
    "request",
    object({ a: text, b: text }, closed),
    object({ b: text }, closed),
    [["request.property.removed-closed", true]],
  ],
  [
    "a member that is read-only now",
    "request",
    object({ a: text }),
    object({ a: { ...text, readOnly: true } }),
    [["request.property.read-only", true]],
  ],
  [
    "a member that was read-only",
    "request",
    object({ a: { ...text, readOnly: true } }),
    object({ a: text }),
    [["request.property.added", false]],
  ],
  ["a new member", "response", object({}), object({ a: text }), [["response.property.added", false]]],
  [
    "a new member of a closed response",
    "response",
    object({}, closed),
    object({ a: text }, closed),
    [["response.property.added-closed", true]],
  ],
  ["a member that is gone", "response", object({ a: text }), object({}), [["response.property.removed", true]]],
  [
    "a member that is write-only now",
    "response",
    object({ a: text }),
    object({ a: { ...text, writeOnly: true } }),
    [["response.property.write-only", true]],
  ],
];
