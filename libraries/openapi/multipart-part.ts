/** The head of one part of a multipart body (RFC 2046, 5.1). */
export interface PartHead {
  /** Empty where the body's kind needs no names. */
  name: string;
  fileName?: string | undefined;
  mediaType?: string | undefined;
  /** A Content-Disposition among them replaces the part's own. */
  headers?: readonly { name: string; value: string }[] | undefined;
}

/**
 * Header lines of a part, each with CR LF. A named part has the disposition `form-data` in every kind of body: OpenAPI
 * ("Encoding multipart Media Types") finds the properties of other kinds by it, too.
 */
export function writePartHead({ name, fileName, mediaType, headers = [] }: PartHead): string {
  const own = (lowerCase: string) => headers.find((header) => header.name.toLowerCase() === lowerCase);
  const others = headers.filter((header) => !/^content-(disposition|type)$/i.test(header.name));
  const file = fileName === undefined ? "" : `; filename="${escapeQuoted(fileName)}"`;
  const disposition =
    own("content-disposition")?.value ??
    (name !== "" ? `form-data; name="${escapeQuoted(name)}"${file}` : file ? `attachment${file}` : undefined);
  return [
    ...(disposition === undefined ? [] : [`Content-Disposition: ${disposition}\r\n`]),
    ...(mediaType ? [`Content-Type: ${mediaType}\r\n`] : []),
    ...others.map((header) => `${header.name}: ${header.value}\r\n`),
  ].join("");
}

/** As the HTML standard escapes names in multipart/form-data. */
function escapeQuoted(text: string): string {
  return text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

/** RFC 7578, 4.4: a part without a type is text, so a file needs one. */
export const fileMediaType = "application/octet-stream";

export const formDataType = "multipart/form-data";

export function isFormData(mediaType: string): boolean {
  return /^multipart\/form-data\b/i.test(mediaType);
}

/**
 * A media type that a multipart body can be sent as: without the boundary, which each request generates, and without parameters that
 * can't be written. A range is a form.
 */
export function toMultipartType(documented: string): string {
  const [kind = "", ...parameters] = documented.split(";").map((piece) => piece.trim());
  if (!/^multipart\/[\w!#$&^.+-]{1,100}$/i.test(kind)) return formDataType;
  const kept = parameters.filter(
    (parameter) =>
      /^[\w!#$&^.+-]+=("[^"\\{};\r\n]*"|[\w!#$&^.+/-]+)$/.test(parameter) && !/^boundary=/i.test(parameter),
  );
  const whole = [kind, ...kept].join("; ");
  return whole.length <= 200 ? whole : kind;
}
