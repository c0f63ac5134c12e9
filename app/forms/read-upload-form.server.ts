import { type UploadHandlerPart, unstable_parseMultipartFormData } from "@remix-run/node";
import { readForm } from "./read-form.server.ts";

export interface UploadForm {
  form: FormData;
  /** Fields with a file that is larger than allowed; they are not in the form, and everything else is. */
  tooLarge: ReadonlySet<string>;
}

/** Of all files together. */
const maxFormBytes = 64 * 1_048_576;

/**
 * The form in a request that may carry files. A file that is too large is read and dropped, so that the other fields,
 * which may come after it, are not lost.
 * @throws Response as `readForm`
 */
export async function readUploadForm(
  request: Request,
  { maxFileBytes }: { maxFileBytes: number },
): Promise<UploadForm> {
  const tooLarge = new Set<string>();
  if (!/^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "")) {
    return { form: await readForm(request), tooLarge };
  }
  let left = maxFormBytes;
  async function take({ name, filename, contentType, data }: UploadHandlerPart) {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of data) {
      size += chunk.length;
      if (size <= maxFileBytes && size <= left) chunks.push(chunk);
      else chunks.length = 0;
    }
    if (size > maxFileBytes || size > left) {
      tooLarge.add(name);
      return undefined;
    }
    left -= size;
    const bytes = Buffer.concat(chunks);
    return filename === undefined
      ? bytes.toString()
      : new File([bytes], decodeFileName(filename), { type: contentType });
  }
  const parsed = {
    headers: request.headers,
    async formData() {
      const form = await unstable_parseMultipartFormData(request, take);
      // The parser passes over a body without its boundary, and no form of ours is empty.
      if ([...form.keys()].length === 0 && tooLarge.size === 0) throw new Error("The body has no parts.");
      return form;
    },
  };
  return { form: await readForm(parsed), tooLarge };
}

/** Browsers escape a quote and line breaks so (HTML, "multipart/form-data encoding algorithm"). */
function decodeFileName(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
