/**
 * What the editor's form holds: everything as it is typed. Field names are the paths into this, as in `request.headers[0].name`.
 * Type aliases and not interfaces, since conform asks for types with an index signature.
 */
export type TestFormValues = {
  name: string;
  enabled: boolean;
  /** Comma separated; a tag with a comma stands in double quotes. */
  tags: string;
  request: {
    baseUrl: string;
    pathParameters: PairRow[];
    query: PairRow[];
    headers: PairRow[];
    cookies: PairRow[];
    body: BodyValues;
    authorization: { kind: string; bindings: BindingRow[] };
    followRedirects: boolean;
  };
  assertions: AssertionRow[];
  checks: string[];
  maximumResponseMilliseconds: string;
  captures: CaptureRow[];
  /** CSV, or a JSON list of objects; empty when the test runs once. */
  data: string;
  retry: { attempts: string; backoff: string; delayMilliseconds: string };
  timeoutMilliseconds: string;
};

export type PairRow = {
  name: string;
  value: string;
  enabled: boolean;
};

export type PartRow = PairRow & {
  fileName: string;
  mediaType: string;
};

/** Every kind of body keeps its own fields, so that looking at another kind loses nothing of what was typed. */
export type BodyValues = {
  kind: string;
  json: string;
  jsonMediaType: string;
  text: string;
  textMediaType: string;
  fields: PairRow[];
  parts: PartRow[];
};

export type BindingRow = {
  schemeName: string;
  credentialId: string;
};

export type AssertionRow = {
  source: string;
  property: string;
  comparison: string;
  target: string;
  targetType: string;
};

export type CaptureRow = {
  name: string;
  source: string;
  property: string;
  secret: boolean;
};
