import { randomUUID } from "node:crypto";
import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { answersScheme } from "#libraries/openapi/answering-credential.ts";
import { describeAlternatives } from "#libraries/openapi/scheme-words.ts";
import { listUnanswered, toAlternatives } from "#libraries/openapi/unanswered-schemes.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import type { SchemeBinding } from "#libraries/running/scheme-bindings.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { GivenCertificate, GivenClient } from "./given-clients.ts";

/** Secrets as the options and the environment give them. */
export interface GivenSecrets {
  token?: string | undefined;
  apiKey?: string | undefined;
  /** `user:password` */
  basic?: string | undefined;
  /** `Name: value`, sent with every request that authenticates. */
  headers: readonly string[];
  client?: (GivenClient & { tokenUrl: string }) | undefined;
  certificate?: GivenCertificate | undefined;
}

/** What requests authenticate with, and which security scheme each credential answers. */
export class Credentials {
  readonly items: OpenedCredential[] = [];
  readonly bindings: SchemeBinding[] = [];
  readonly #isAnswered: (schemeName: string) => boolean;

  /** @throws CommandError for a value without its form */
  constructor(
    given: GivenSecrets,
    private readonly schemes: readonly SecurityScheme[],
  ) {
    if (given.token) this.#add({ type: "bearer", settings: {}, secret: given.token });
    if (given.basic) this.#addBasic(given.basic);
    for (const header of given.headers) this.#addHeader(header);
    if (given.apiKey) this.#addKey(given.apiKey);
    if (given.client) this.#addClient(given.client);
    if (given.certificate) this.#addCertificate(given.certificate);
    const answered = new Set(this.bindings.map(({ schemeName }) => schemeName));
    this.#isAnswered = (name) => answered.has(name);
  }

  /** What an operation asks for that was not given, as the object of a sentence; undefined where nothing is missing. */
  describeMissing({ operation, securitySchemes }: OperationWithComponents): string | undefined {
    const unanswered = listUnanswered(toAlternatives(operation.security), this.#isAnswered);
    return unanswered.length > 0 ? describeAlternatives(unanswered, securitySchemes) : undefined;
  }

  #add(credential: Pick<OpenedCredential, "type" | "settings" | "secret">): void {
    const added = { id: randomUUID(), name: "given", ...credential };
    this.items.push(added);
    for (const { name } of this.schemes.filter((scheme) => answersScheme(credential, scheme)))
      this.bindings.push({ schemeName: name, credentialId: added.id });
  }

  #addBasic(basic: string): void {
    const colon = basic.indexOf(":");
    if (colon < 1)
      throw new CommandError(exitCodes.usage, "--basic takes a user name and a password: --basic ada:secret");
    const [username, secret] = [basic.slice(0, colon), basic.slice(colon + 1)];
    const asksForDigest = this.schemes.some(({ type, scheme }) => type === "http" && scheme === "digest");
    this.#add({ type: asksForDigest ? "digest" : "basic", settings: { username }, secret });
  }

  #addClient({ id, secret, tokenUrl, scope, audience, isInBody }: GivenClient & { tokenUrl: string }): void {
    const clientAuthentication = isInBody ? ("client_secret_post" as const) : ("client_secret_basic" as const);
    const optional = { ...(scope ? { scope } : {}), ...(audience ? { audience } : {}) };
    const settings = { clientId: id, tokenUrl, clientAuthentication, ...optional };
    this.#add({ type: "oauth2ClientCredentials", settings, secret });
  }

  #addCertificate({ certificate, privateKey, authority }: GivenCertificate): void {
    const settings = { certificate, ...(authority ? { authority } : {}) };
    this.#add({ type: "mutualTls", settings, secret: privateKey });
  }

  #addHeader(header: string): void {
    const [, name, secret] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/.exec(header) ?? [];
    if (name === undefined || secret === undefined) {
      throw new CommandError(
        exitCodes.usage,
        `--header takes a name and a value: --header "X-Tenant: shop", got "${header}".`,
      );
    }
    this.#add({ type: "apiKey", settings: { in: "header", parameterName: name }, secret });
  }

  #addKey(secret: string): void {
    const keyed = this.schemes.filter(({ type }) => type === "apiKey");
    if (keyed.length === 0) {
      throw new CommandError(
        exitCodes.usage,
        'The document has no security scheme of the type apiKey, so it does not say where the key goes. Use --header "Name: key".',
      );
    }
    for (const { in: location = "header", parameterName = "" } of keyed)
      this.#add({ type: "apiKey", settings: { in: location, parameterName }, secret });
  }
}
