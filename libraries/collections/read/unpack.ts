import { unzipSync } from "fflate";
import { limits, type SourceFile, UnreadableFile } from "./reading.ts";

/** A file as it was chosen. */
export interface ChosenFile {
  name: string;
  bytes: Uint8Array;
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
/** What is beside requests in an archive of a repository. */
const isIgnored = (name: string) =>
  name.endsWith("/") || /(^|\/)(\.git|node_modules|__MACOSX)\//.test(name) || /(^|\/)\.DS_Store$/.test(name);

const tooLarge = (file: string) =>
  new UnreadableFile(file, 0, `More than ${limits.bytes / 1_000_000} MB in one import. Import fewer files.`);

/**
 * Files as text; those of archives, too. Archives in archives stay closed.
 * @throws UnreadableFile beyond the limits, or where an archive is damaged
 */
export function unpack(chosen: readonly ChosenFile[]): SourceFile[] {
  const files: SourceFile[] = [];
  let total = 0;
  const add = (name: string, bytes: Uint8Array) => {
    total += bytes.length;
    if (total > limits.bytes) throw tooLarge(name);
    if (files.length >= limits.files)
      throw new UnreadableFile(name, 0, `More than ${limits.files} files in one import.`);
    const text = new TextDecoder(isUtf16(bytes) ? "utf-16le" : "utf-8").decode(bytes);
    if (text.includes("\u0000")) throw new UnreadableFile(name, 0, "It is not a text.");
    files.push({ name, text: text.replace(/\r\n?/g, "\n") });
  };
  for (const { name, bytes } of chosen) {
    if (!isZip(bytes)) add(name, bytes);
    else for (const [inner, content] of unzip(name, bytes)) add(inner, content);
  }
  return files;
}

const isUtf16 = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xfe;

/** Texts of an archive. The sizes that it names bound what is unpacked: more than a file's own size is never written. */
function unzip(archive: string, bytes: Uint8Array): [string, Uint8Array][] {
  let [total, count] = [0, 0];
  try {
    const found = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (isIgnored(name) || !/\.(json|ya?ml|bru|hurl|http|rest|har|env)$/i.test(name)) return false;
        [total, count] = [total + originalSize, count + 1];
        if (total > limits.bytes) throw tooLarge(archive);
        if (count > limits.files)
          throw new UnreadableFile(archive, 0, `More than ${limits.files} files in one import.`);
        return true;
      },
    });
    return Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(archive, 0, `The archive can't be read: ${(error as Error).message}.`);
  }
}
