import type { Components } from "./parameter.ts";

/** A body that an operation accepts: its media type, and a valid value if one is known. */
export interface DescribedContent {
  mediaType: string;
  schema?: unknown;
  sample?: unknown;
  /** The JSON text of `sample` where doubles would lose digits. */
  sampleJson?: string | undefined;
  /** Serialization of form fields and of parts by name (OpenAPI, "Encoding Object"). */
  encoding?: unknown;
  /** Of parts by position (3.2). */
  prefixEncoding?: unknown;
  itemEncoding?: unknown;
}

/** The rest of the document, as far as bodies depend on it. */
export interface SampleContext {
  components?: Components;
  /** Defaults of parts differ between versions; the newest one's unless given. */
  specificationVersion?: string;
}

/** A field of a form or a part of a multipart body. */
export interface SampleField {
  /** Empty for a part that has its position only. */
  name: string;
  value: string;
  /** The value is the content of a file. */
  file: boolean;
  /** The name of a file whose bytes are sent in place of the value. */
  chosenFile?: string;
  /** Of a part, where it isn't the default: text, or `application/octet-stream` for a file. */
  mediaType?: string;
  /** Further ones of a part. */
  headers?: { name: string; value: string }[];
}
