import type { CredentialInput } from "#contracts/security-service/credentials.ts";
import type { PortalBackend } from "../../tests/support/portal-backend.ts";
import type { RunningPortal } from "../../tests/support/portal-process.ts";

export interface MeasuredServer {
  /** As in the table, and to select it on the command line. */
  name: string;
  /** @throws NotInstallable where the software can't be had here */
  start(given: { portal: RunningPortal }): Promise<StartedServer>;
}

/** A running server with fresh data, before the portal knows of it. */
export interface StartedServer {
  /** For example `http://127.0.0.1:41236`. */
  origin: string;
  /**
   * Its OpenAPI document as its users have it, except that requests go to this origin: a recorder in front of the server.
   */
  documentFor(origin: string): string;
  /** Credentials of an account made before, without the domain: that of the recorder. */
  credentials?: (Pick<CredentialInput, "type" | "settings" | "secret"> & { schemeName?: string })[];
  /** Problems that the server's own documents name, each in the words of a failure. */
  knownDrifts?: KnownDrift[];
  /** Operations that no valid call can reach here, with the reason. */
  unreachable?: Record<string, string>;
  /** What was there before, by a name of its own; read before and after, to see what a suite changed. */
  readState?(): Promise<Map<string, string>>;
  stop(): Promise<void>;
}

export interface KnownDrift {
  /** For example `get /products/{productId}`. */
  operation: string;
  reason: RegExp;
  words: string;
}

/** Says in one sentence what is missing. */
export class NotInstallable extends Error {
  override readonly name = "NotInstallable";
}

export type { PortalBackend };
