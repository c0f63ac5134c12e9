import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  ca: string;
  /** Certificates signed by the authority; a negative `days` creates an expired one. */
  issue(commonName: string, subjectAltName: string, days: number): Promise<Certificate>;
  selfSign(commonName: string): Promise<Certificate>;
  remove(): Promise<void>;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** A certificate authority created with the openssl command in a separate directory. */
export async function createAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), "egress-authority-"));
  const file = (name: string) => join(folder, name);
  const openssl = (...parameters: string[]) => run("openssl", parameters);
  let issued = 0;

  async function selfSignInto(name: string, subject: string): Promise<void> {
    await openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "30",
      "-subj",
      subject,
      "-keyout",
      file(`${name}.key`),
      "-out",
      file(`${name}.pem`),
    );
  }

  async function read(name: string): Promise<Certificate> {
    return { key: await readFile(file(`${name}.key`), "utf8"), cert: await readFile(file(`${name}.pem`), "utf8") };
  }

  await selfSignInto("authority", "/O=Test/CN=Test Authority");
  return {
    ca: (await read("authority")).cert,
    async issue(commonName, subjectAltName, days) {
      issued += 1;
      const name = `server${issued}`;
      await writeFile(file(`${name}.ext`), `subjectAltName=${subjectAltName}\n`);
      await openssl(
        "req",
        ...newKey,
        "-subj",
        `/O=Example/CN=${commonName}`,
        "-keyout",
        file(`${name}.key`),
        "-out",
        file(`${name}.csr`),
      );
      await openssl(
        "x509",
        "-req",
        "-in",
        file(`${name}.csr`),
        "-CA",
        file("authority.pem"),
        "-CAkey",
        file("authority.key"),
        "-CAcreateserial",
        "-days",
        String(days),
        "-extfile",
        file(`${name}.ext`),
        "-out",
        file(`${name}.pem`),
      );
      return read(name);
    },
    async selfSign(commonName) {
      issued += 1;
      await selfSignInto(`server${issued}`, `/CN=${commonName}`);
      return read(`server${issued}`);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
