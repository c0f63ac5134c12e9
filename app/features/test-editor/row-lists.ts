/** The lists of the form with rows that can be added and removed. */
export const rowLists = [
  "request.pathParameters",
  "request.query",
  "request.headers",
  "request.cookies",
  "request.body.fields",
  "request.body.parts",
  "request.authorization.bindings",
  "assertions",
  "captures",
] as const;
