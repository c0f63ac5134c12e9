import type { KnownSource, PlannedCredential } from "./plan.ts";
import type { FoundCredential } from "./secrets.ts";
import { toName } from "./to-name.ts";

type Settings = PlannedCredential["settings"];

const words: Record<FoundCredential["kind"], string> = {
  basic: "user and password",
  digest: "user and password",
  bearer: "token",
  apiKey: "key",
  oauth2ClientCredentials: "OAuth client",
  awsSignatureV4: "AWS key",
};

/** Each is stored by a call of its own. */
const maxCredentials = 100;

/** Secrets of an import, each once for each host. */
export class CredentialShelf {
  readonly credentials: PlannedCredential[] = [];
  readonly #positionBy = new Map<string, number>();

  /** @param known credentials that came from the collection before, by their name then */
  constructor(
    readonly collection: string,
    readonly known: ReadonlyMap<string, KnownSource>,
  ) {}

  /** @returns its position among the credentials; undefined where there are too many */
  add(credential: FoundCredential, domain: string): number | undefined {
    const { kind, secret } = credential;
    const settings = toSettings(credential);
    const key = JSON.stringify([domain.toLowerCase(), kind, settings, secret]);
    const known = this.#positionBy.get(key);
    if (known !== undefined) return known;
    if (this.credentials.length >= maxCredentials) return undefined;
    const name = this.#uniqueName(
      `${toName(this.collection, 100)}: ${describe(credential)} for ${domain}`.slice(0, 180),
    );
    const knownId = this.known.get(name)?.objectId;
    const planned = {
      name,
      domain: domain.toLowerCase(),
      type: kind,
      settings,
      secret,
      ...(knownId ? { knownId } : {}),
    };
    const position = this.credentials.push(planned) - 1;
    this.#positionBy.set(key, position);
    return position;
  }

  #uniqueName(wanted: string): string {
    const isTaken = (name: string) => this.credentials.some((one) => one.name === name);
    let name = wanted;
    for (let count = 2; isTaken(name); count += 1) name = `${wanted} (${count})`;
    return name;
  }
}

function describe(credential: FoundCredential): string {
  if (credential.kind === "apiKey") return `${words.apiKey} ${toName(credential.name, 60)}`;
  if (credential.kind === "basic" || credential.kind === "digest")
    return `${words.basic} of ${toName(credential.user || "a user", 60)}`;
  return words[credential.kind];
}

function toSettings(credential: FoundCredential): Settings {
  switch (credential.kind) {
    case "basic":
    case "digest":
      return { username: credential.user };
    case "bearer":
      return {};
    case "apiKey":
      return { in: credential.in, parameterName: credential.name };
    case "oauth2ClientCredentials":
      return {
        tokenUrl: credential.tokenUrl,
        clientId: credential.clientId,
        scope: credential.scopes.join(" ") || undefined,
      };
    case "awsSignatureV4":
      return { accessKeyId: credential.accessKeyId, region: credential.region, service: credential.service };
  }
}
