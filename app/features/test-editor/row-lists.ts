/** The lists of the form that rows are added to and removed from. */
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
