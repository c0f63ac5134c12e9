/** Files are named relative to the folder of the main document, or by their URL outside it. */
export type FileLookup =
  | { kind: "file"; name: string }
  | { kind: "address"; url: string }
  | { kind: "refused"; reason: string };

const scheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Resolves a reference's file part relative to the file that contains it. Nothing is opened here: names are looked up
 * among the given files, URLs are fetched through the egress client.
 */
export function lookUpFile(from: string, reference: string, documentUrl: string | undefined): FileLookup {
  if (reference.includes("\\")) return { kind: "refused", reason: "it has a backslash; paths in references use /" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
  if (/[\0-\x1f]/.test(reference)) return { kind: "refused", reason: "it has a control character" };
  if (scheme.test(reference)) {
    return /^https?:/i.test(reference)
      ? toUrl(reference, undefined, documentUrl)
      : { kind: "refused", reason: "only files given with the document and http(s) addresses are followed" };
  }
  const base = scheme.test(from) ? from : documentUrl && new URL(from || "", documentUrl).href;
  if (base) return toUrl(reference, base, documentUrl);
  if (reference.startsWith("/"))
    return { kind: "refused", reason: "it is an absolute path; write it relative to this file" };
  return { kind: "file", name: joinPath(getFolder(from), decodePath(reference)) };
}

function toUrl(reference: string, base: string | undefined, documentUrl: string | undefined): FileLookup {
  if (!URL.canParse(reference, base)) return { kind: "refused", reason: "it is not an address that can be read" };
  const url = new URL(reference, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { kind: "refused", reason: "only http(s) addresses are followed" };
  }
  url.hash = "";
  return documentUrl && url.href === new URL(documentUrl).href
    ? { kind: "file", name: "" }
    : { kind: "address", url: url.href };
}

/** The display name of a URL: short when it is below the document's own folder. */
export function nameOfAddress(url: string, documentUrl: string | undefined): string {
  const folder = documentUrl && new URL(".", documentUrl).href;
  return folder && url.startsWith(folder) ? decodePath(url.slice(folder.length)) : url;
}

export function getFolder(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** Joins and normalizes; leading `..` remain, so a path outside the set cannot be mistaken for one inside. */
export function joinPath(folder: string, path: string): string {
  const steps: string[] = [];
  for (const step of `${folder}/${path}`.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === ".." && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}

/** The path of `file` relative to `folder`; both normalized and in one tree. */
export function relativePath(folder: string, file: string): string {
  const from = folder === "" ? [] : folder.split("/");
  const to = file.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
