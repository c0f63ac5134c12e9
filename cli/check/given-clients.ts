import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { CommandError, exitCodes } from "../exit-codes.ts";

/** An OAuth 2 client; its secret comes from the environment or a file, since other users of the machine see options. */
export interface GivenClient {
  id: string;
  secret: string;
  /** Undefined where the document's is used. */
  tokenUrl: string | undefined;
  scope: string | undefined;
  audience: string | undefined;
  isInBody: boolean;
}

/** A client certificate, all in PEM. */
export interface GivenCertificate {
  certificate: string;
  privateKey: string;
  authority: string | undefined;
}

export interface ClientFlags {
  clientId?: string;
  clientSecretFile?: string;
  clientInBody?: true;
  tokenUrl?: string;
  scope?: string;
  audience?: string;
  certificate?: string;
  privateKey?: string;
  authority?: string;
}

const usage = (message: string) => new CommandError(exitCodes.usage, message);

function read(file: string, option: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usage(`${option} names the file ${file}, which can't be read: ${(error as Error).message}`);
  }
}

/** @throws CommandError where a part is missing */
export function readClient(flags: ClientFlags, environment: NodeJS.ProcessEnv): GivenClient | undefined {
  const { API_CLIENT_ID, API_CLIENT_SECRET, API_TOKEN_URL } = environment;
  const { clientId: id = API_CLIENT_ID, clientSecretFile, tokenUrl = API_TOKEN_URL, scope, audience } = flags;
  if (!id) {
    if (clientSecretFile === undefined) return undefined;
    throw usage("--client-secret-file is the secret of a client: add --client-id.");
  }
  const secret =
    clientSecretFile === undefined ? API_CLIENT_SECRET : read(clientSecretFile, "--client-secret-file").trim();
  if (!secret)
    throw usage(
      "--client-id needs the client's secret: set API_CLIENT_SECRET in the environment, or add --client-secret-file.",
    );
  if (tokenUrl !== undefined && !isAddress(tokenUrl))
    throw usage(`--token-url takes an address, such as https://login.example.com/oauth2/token, got "${tokenUrl}".`);
  return { id, secret, tokenUrl, scope, audience, isInBody: flags.clientInBody === true };
}

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** @throws CommandError where a part is missing or doesn't fit the others */
export function readCertificate(flags: ClientFlags, environment: NodeJS.ProcessEnv): GivenCertificate | undefined {
  const { API_CERTIFICATE, API_PRIVATE_KEY, API_AUTHORITY } = environment;
  const { certificate = API_CERTIFICATE, privateKey = API_PRIVATE_KEY, authority = API_AUTHORITY } = flags;
  if (!certificate && !privateKey) {
    if (authority) throw usage("--authority verifies the server of a client certificate: add --certificate.");
    return undefined;
  }
  if (!certificate || !privateKey) throw usage("A client certificate takes both --certificate and --private-key.");
  const given = {
    certificate: read(certificate, "--certificate"),
    privateKey: read(privateKey, "--private-key"),
    authority: authority ? read(authority, "--authority") : undefined,
  };
  try {
    createSecureContext({ cert: given.certificate, key: given.privateKey, ca: given.authority });
  } catch (error) {
    const { message } = error as Error;
    throw usage(
      `--certificate and --private-key take PEM files that belong together, without a passphrase: ${message}`,
    );
  }
  return given;
}

/**
 * Where a client gets its token. A document alone does not decide where a secret goes: it may come from others than the
 * secret does.
 * @param named the token URL that the document names
 */
export function chooseTokenUrl(given: string | undefined, named: string | undefined, baseUrl: string): string {
  if (given !== undefined) return given;
  if (named === undefined)
    throw usage("--client-id needs --token-url: the document has no client credentials flow that names one.");
  const base = `${baseUrl}/`;
  const resolved = URL.canParse(named, base) ? new URL(named, base) : undefined;
  if (resolved?.origin === new URL(baseUrl).origin) return resolved.href;
  throw usage(
    `The document says that tokens come from ${named}, which is another server than --url. To send the client's secret there, add --token-url ${named}`,
  );
}
