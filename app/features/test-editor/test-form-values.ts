/**
 * The values of the editor's form, all as typed. Field names are the paths into this, such as
 * `request.headers[0].name`. Type aliases and not interfaces, since conform requires types with an index signature.
 */
export type TestFormValues = {
  name: string;
  enabled: boolean;
  /** Comma separated; a tag with a comma is in double quotes. */
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
    readUntil: { kind: string; limit: string };
  };
  assertions: AssertionRow[];
  checks: string[];
  maximumResponseMilliseconds: string;
  captures: CaptureRow[];
  /** CSV, or a JSON list of objects; empty when the test runs once. */
  data: string;
  retry: { attempts: string; backoff: string; delayMilliseconds: string };
  /** Both empty when the test does not wait. */
  waitUntil: { everySeconds: string; atMostSeconds: string };
  timeoutMilliseconds: string;
  /** The form's value for none, or empty where there is nothing to choose. */
  locationId: string;
};

export type PairRow = {
  name: string;
  value: string;
  enabled: boolean;
};

export type PartRow = PairRow & {
  fileName: string;
  mediaType: string;
  /** One header a line. */
  headers: string;
  /** A stored file, as `file-reference` writes it. */
  file: string;
  /** The file input; empty in values, since chosen files are stored at once. */
  upload: string;
  /** Ticked to send the value instead of the stored file. */
  withoutFile: boolean;
};

/** Every kind of body has its own fields, so that switching kinds loses no typed values. */
export type BodyValues = {
  kind: string;
  json: string;
  jsonMediaType: string;
  text: string;
  textMediaType: string;
  fields: PairRow[];
  /** Kind of multipart body; empty for `multipart/form-data`. */
  multipartType: string;
  parts: PartRow[];
  /** As of a part. */
  file: string;
  upload: string;
  fileMediaType: string;
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
  /** Of a header or cookie: "" captures all of its value. */
  pattern: string;
  /** `byName`, `always` or `never`. */
  secret: string;
  optional: boolean;
};
