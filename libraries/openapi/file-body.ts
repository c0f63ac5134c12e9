import { getMember } from "../json/json-value.ts";
import type { DescribedContent, SampleContext } from "./described-content.ts";
import { getTransferEncoding, resolveSchema } from "./sample-parts.ts";

/** Types that are no text: without an example their bodies can only be files. */
const binaryType =
  /^(image\/(?!svg\+xml)|audio\/|video\/|font\/|application\/(octet-stream|pdf|zip|gzip|x-gzip|x-tar|wasm|vnd\.(ms-|openxmlformats-)))/i;

const typedType = /^(application\/x-www-form-urlencoded|multipart\/|[^;]*[/+]json\b)/i;

type Described = DescribedContent & { examples?: readonly { value: unknown }[] };

/**
 * Whether the whole body is a file: its schema says so (`format: binary`, or 2.0's `type: file`), or its media type is no
 * text and the document gives no value. JSON and forms never are.
 */
export function isFileBody(
  { mediaType, schema, sample, examples = [] }: Described,
  context: SampleContext = {},
): boolean {
  if (typedType.test(mediaType)) return false;
  const resolved = resolveSchema(schema, context.components ?? {});
  // Base64 and its kind are text.
  if (getTransferEncoding(resolved, context) !== undefined) return false;
  if (getMember(resolved, "format") === "binary" || getMember(resolved, "type") === "file") return true;
  const isValue =
    examples.length > 0 || (typeof sample === "object" && sample !== null && schema !== undefined && !isEmpty(sample));
  return binaryType.test(mediaType) && !isValue;
}

/** What a schema that says nothing is sampled as. */
const isEmpty = (sample: object) => Object.keys(sample).length === 0;
