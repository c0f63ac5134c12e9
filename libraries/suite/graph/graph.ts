import type { OperationKey } from "./operation-facts.ts";

/** Why two operations belong together. */
export type Evidence =
  /** A link of the document (OpenAPI, "Link Object"), by its name. */
  | { kind: "link"; name: string }
  /** Both have this component. */
  | { kind: "schema"; component: string }
  /** One path continues the other. */
  | { kind: "path" }
  /** A member is named after the thing. */
  | { kind: "name"; name: string };

/** Where a response has the identifier of a resource. */
export interface Producer {
  operation: OperationKey;
  /**
   * `location`: the last segment of the header Location (RFC 9110, 10.2.2). `sent`: what its request had there, since
   * clients choose it.
   */
  from: "body" | "location" | "sent";
  /** A JSONPath into the response's body, or the request's; "" for a header and for the path of the request. */
  path: string;
  /** Whether it gives those of a list. */
  many: boolean;
  evidence: Evidence;
}

/** Where a request needs the identifier of a resource. */
export interface Consumer {
  operation: OperationKey;
  in: "path" | "query" | "header" | "cookie" | "body";
  /** A parameter's name; for a body the JSON pointer of the member (RFC 6901), with `-` for any item of a list. */
  name: string;
  required: boolean;
  /** Key of the resource that gives it. */
  resource: string;
  evidence: Evidence;
}

/** What an operation is to its resource. */
export const roles = ["list", "create", "read", "change", "replace", "remove"] as const;
export type Role = (typeof roles)[number];

/** A kind of thing that an API keeps, such as a book: what its paths name. */
export interface Resource {
  /** Its path with unnamed parameters: `/shops/{}/books/{}`. */
  key: string;
  /** In words: `book`. */
  name: string;
  /** Key of the resource that it is part of. */
  parent: string | undefined;
  /** Key of the resource whose identifier its parameter is; mostly its own. */
  source: string;
  /** `/shops/{shopId}/books` and `/shops/{shopId}/books/{bookId}`. */
  collection: string;
  item: string;
  /** The item's last path parameter. */
  parameter: string;
  /** The variable of its identifier, which resources with another source do not have. */
  variable: string;
  /** The component that describes it. */
  component: string | undefined;
  operations: Partial<Record<Role, OperationKey>>;
  producers: Producer[];
}

export interface SuiteGraph {
  resources: Resource[];
  /** In document order. */
  consumers: Consumer[];
}
