import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { ConnectionPool, type Origin } from "./connection-pool.ts";
import type { ConnectorOptions } from "./connector.ts";
import { EgressError, targetNotAllowed } from "./failure.ts";
import type { TlsChoice } from "./outbound-request.ts";
import { toDestination } from "./policy.ts";

/**
 * Maximum number of pools. A pool is removed with its last connection, seconds after its last request, so few
 * accumulate.
 */
const maxPools = 256;

/** Maximum number of parsed certificate sets; others are parsed again when needed. */
const maxTrusts = 256;

export interface PoolChoice {
  pool?: string;
  tls?: TlsChoice;
}

interface Trust {
  id: number;
  context: SecureContext;
}

/** One pool of connections per pool key, origin and set of trusted certificates. */
export class OriginPools {
  readonly #connector: ConnectorOptions;
  /** Least recently used first. */
  readonly #pools = new Map<string, ConnectionPool>();
  /** Keyed by a hash of the PEM texts; least recently used first. */
  readonly #trusts = new Map<string, Trust>();
  #lastTrustId = 0;

  constructor(connector: ConnectorOptions) {
    this.#connector = connector;
  }

  /** @throws EgressError with `target_not_allowed` when no resolved address of the name could be allowed */
  require(url: URL, choice: PoolChoice): ConnectionPool {
    const trust = url.protocol === "https:" ? this.#trust(choice.tls) : undefined;
    // Neither an origin nor a number contains a space, so pool keys cannot collide.
    const key = `${url.origin} ${trust?.id ?? 0} ${choice.pool ?? ""}`;
    const known = this.#pools.get(key);
    if (known !== undefined) {
      this.#pools.delete(key);
      this.#pools.set(key, known);
      return known;
    }
    const destination = toDestination(url);
    if (!this.#connector.gate.mayResolve(destination)) throw new EgressError(targetNotAllowed());
    this.#evict();
    const origin: Origin = { origin: url.origin, destination };
    if (trust !== undefined) origin.secureContext = trust.context;
    const pool = new ConnectionPool(origin, this.#connector, () => {
      if (this.#pools.get(key) === pool) this.#pools.delete(key);
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Requests from now on open new connections: the existing ones were checked against the previous policy. */
  renew(): void {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    // A pool in use closes seconds after its last request.
    for (const pool of pools) if (pool.isIdle) pool.close();
  }

  close(): void {
    for (const pool of [...this.#pools.values()]) pool.close();
    this.#pools.clear();
  }

  /** Pools in use are never closed: the caller limits how many requests run concurrently. */
  #evict(): void {
    if (this.#pools.size < maxPools) return;
    for (const [key, pool] of this.#pools) {
      if (!pool.isIdle) continue;
      pool.close();
      this.#pools.delete(key);
      return;
    }
  }

  /** Parsing certificates takes milliseconds, so each set is parsed once. */
  #trust({ ca, client }: TlsChoice = {}): Trust {
    const text = JSON.stringify([ca, client?.certificate, client?.key]);
    const key = createHash("sha256").update(text).digest("base64url");
    const known = this.#trusts.get(key);
    const trust = known ?? { id: ++this.#lastTrustId, context: readCertificates({ ca, client }) };
    this.#trusts.delete(key);
    this.#trusts.set(key, trust);
    if (this.#trusts.size > maxTrusts) this.#trusts.delete(this.#trusts.keys().next().value!);
    return trust;
  }
}

/**
 * @throws EgressError with `tls_failed` when the certificates are unreadable or the key belongs to another certificate
 */
function readCertificates({ ca, client }: TlsChoice): SecureContext {
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      ...(ca === undefined ? {} : { ca }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    });
  } catch {
    const detail = "The client certificate, its key or the trusted certificates can't be used.";
    throw new EgressError({ code: "tls_failed", detail, phase: "tls" });
  }
}
