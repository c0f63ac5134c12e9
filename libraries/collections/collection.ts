/**
 * Requests as tools of the field store them, whatever the format of the file. Texts may hold `{{name}}` for a variable:
 * readers translate their format's placeholders to it, writers translate it back.
 */
export interface Collection {
  name: string;
  description: string;
  variables: Variable[];
  environments: { name: string; variables: Variable[] }[];
  requests: CollectedRequest[];
  /** Groups of requests with an order of their own: folders that run together, workflows. */
  sequences: Sequence[];
  /** OpenAPI documents that requests call operations of; writers of formats that name operations need them. */
  documents?: { name: string; url: string }[];
}

export interface Variable {
  name: string;
  value: string;
  secret: boolean;
}

/** A line of a file, from 1; 0 where a format has no lines for it. */
export interface Position {
  file: string;
  line: number;
}

export interface CollectedRequest extends Position {
  /** Unique in its collection. */
  id: string;
  name: string;
  /** From the outermost to the innermost. */
  folders: string[];
  description: string;
  enabled: boolean;
  /** As in an HTTP request; upper case. "" where only the operation is known. */
  method: string;
  /** Of an operation of the API's document, where the format names that instead of method and URL. */
  operationId?: string;
  /** Without a query. Path parameters are `{name}`. */
  url: string;
  pathParameters: Pair[];
  query: Pair[];
  headers: Pair[];
  cookies: Pair[];
  body: CollectedBody;
  authorization: CollectedAuthorization;
  followRedirects: boolean | undefined;
  timeoutMilliseconds: number | undefined;
  retries: number | undefined;
  assertions: CollectedAssertion[];
  captures: CollectedCapture[];
  /** Pause before a retry. */
  retryDelayMilliseconds?: number;
  /** Sent again until its assertions hold. */
  waitUntil?: { everyMilliseconds: number; atMostMilliseconds: number };
  /** The operation that it calls: `document` is a name in `documents`, `path` a path template. */
  operation?: { document: string; operationId?: string; path: string };
  /** The body is the bytes of this file; `body` is of the kind `none` then. */
  bodyFile?: { name: string; mediaType: string };
}

export interface Pair {
  name: string;
  value: string;
  enabled: boolean;
}

export type CollectedBody =
  | { kind: "none" }
  /** The JSON as written. */
  | { kind: "json"; text: string; mediaType: string }
  | { kind: "text"; text: string; mediaType: string }
  | { kind: "form"; fields: Pair[] }
  | { kind: "multipart"; parts: CollectedPart[] };

export interface CollectedPart extends Pair {
  mediaType: string | undefined;
  fileName: string | undefined;
  /** The content is that of the file `fileName`, and `value` is empty. */
  fromFile?: boolean;
}

/** Secrets are plain texts here, or placeholders; who stores a collection moves them into credentials. */
export type CollectedAuthorization =
  /** As the collection, or who runs it, says. */
  | { kind: "inherit" }
  | { kind: "none" }
  | { kind: "basic"; user: string; secret: string }
  | { kind: "digest"; user: string; secret: string }
  | { kind: "bearer"; secret: string }
  | { kind: "apiKey"; in: "header" | "query" | "cookie"; name: string; secret: string }
  | { kind: "oauth2ClientCredentials"; tokenUrl: string; clientId: string; secret: string; scopes: string[] }
  | { kind: "awsSignatureV4"; accessKeyId: string; secret: string; region: string; service: string };

/** Source, property, comparison and target as in the tests of this product. */
export interface CollectedAssertion {
  source: string;
  property: string | undefined;
  comparison: string;
  target: unknown;
}

export interface CollectedCapture {
  name: string;
  source: "header" | "jsonPath" | "xPath" | "cookie" | "statusCode" | "body";
  property: string | undefined;
  pattern: string | undefined;
  secret: boolean;
}

export interface Sequence extends Position {
  name: string;
  description: string;
  /** Identifiers of requests, in order. */
  requests: string[];
  stopOnFailure: boolean;
  /** How many of the first requests set something up, before the others. */
  setUp?: number;
  /** How many of the last requests tear it down, whatever the results of the others. */
  tearDown?: number;
  /** The others run at the same time. */
  parallel?: boolean;
  /** Whether later requests send the cookies that responses set. */
  cookies?: boolean;
}

/** What a file says and is not carried over, or what a format can't say. */
export interface Loss extends Position {
  /** What it belongs to, as in `Create book`. */
  of: string;
  /** What is lost, as in `pre-request script`. */
  what: string;
  /** A sentence that says why, and what to do about it. */
  reason: string;
}
