import { randomUUID } from "node:crypto";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { InstallationSettings } from "#contracts/kit/settings.ts";
import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import type { TestRequest } from "#contracts/test-registry/requests.ts";
import type { Egress, OutboundRequest } from "../../egress/egress.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { findRefusal } from "../host-rules.ts";
import { loadFiles } from "../loaded-files.ts";
import type { FindFile, FindHostRules } from "../lookups.ts";
import { requireCredential } from "../missing-credential.ts";
import type { ChangeGuard } from "../only-own/change-guard.ts";
import type { ReadFile } from "../request-body.ts";
import { finishPlan, planRequest, type RequestPlan } from "../request-plan.ts";
import { chooseAuthorization } from "../scheme-bindings.ts";
import { listTypedSecrets } from "../typed-secrets.ts";
import { Unsendable } from "../unsendable.ts";
import type { TemplateRenderer } from "../variables.ts";
import { type AuthorizedRequest, type AuthorizingParts, authorizeRequest } from "./authorizing.ts";

/** Limits that apply to every request. */
export type SendingSettings = Pick<
  InstallationSettings,
  "verifiedDomainsOnly" | "testTimeoutSeconds" | "answerKibibytes" | "judgedMebibytes"
>;

export interface SendingParts extends AuthorizingParts {
  egress: Egress;
  findHostRules: FindHostRules;
  /** Called only for requests with files. */
  findFile: FindFile;
  userAgent: string;
  settings: { current(): SendingSettings };
}

export interface PrepareInput {
  organizationId: string;
  method: string;
  path: string;
  request: TestRequest;
  /** See `planRequest`. */
  baseUrls: (string | null | undefined)[];
  /** Undefined also if building the request does not need it. */
  operation: OperationWithComponents | undefined;
  /** Started by a user, who confirmed methods that may change something. */
  isConfirmed: boolean;
  /** Finds the operation if it was not needed so far. */
  findOperation(): Promise<OperationWithComponents | undefined>;
  /** Whether an operation of the document may require authentication. */
  mayRequireAuthentication?: boolean;
  /** The run's cookies for an address, if it has a cookie jar. */
  findCookies?(url: URL): string | undefined;
  templates: TemplateRenderer;
  /** Whether the response's body is hashed, too. */
  hashesBody?: boolean;
  /** To be redacted in addition to the credentials. */
  secrets?: KnownSecret[];
  /** For a run that may change only what it made. */
  guard?: ChangeGuard;
  /** Why a secret of the request can't be read, as a sentence. */
  unavailableSecret?: string | undefined;
  /** Of the run. */
  traceId?: string;
}

interface RefusedRedirect {
  /** A sentence. */
  why: string;
  /** It would change what the run did not make. */
  isForeign?: boolean;
}

export interface PreparedRequest extends AuthorizedRequest {
  origin: string;
  isOwnServer: boolean;
  host: string;
  method: string;
  /** As text, with a line about each file instead of its bytes. */
  body: string | null;
  /** What is sent instead of `body` if there are files. */
  bytes?: Uint8Array;
  files?: StoredFile[];
  organizationId: string;
  followRedirects: boolean;
  readUntil: OutboundRequest["readUntil"];
  hashesBody: boolean;
  /** A redirect target has the rules of its own domain. */
  refuseRedirect(sent: string, next: { url: URL; method: string }): Promise<RefusedRedirect | undefined>;
  /** To be redacted in addition to the request's own secrets. */
  otherSecrets: KnownSecret[];
  /** If the host gets a trace context. */
  traceId?: string;
}

export type Prepared =
  | { ok: true; prepared: PreparedRequest }
  | { ok: false; cause: Cause; credentialId: string | undefined };

type Planned = Pick<PrepareInput, "method" | "path" | "request" | "baseUrls" | "operation" | "templates">;

function planOf({ userAgent }: Pick<SendingParts, "userAgent">, input: Planned, readFile: ReadFile) {
  const boundary = input.request.body.kind === "multipart" ? `portal-${randomUUID()}` : "";
  return planRequest({ ...input, boundary, readFile, userAgent });
}

/** Where a request would go, by the same plan that sends it. */
export function addressRequest(
  parts: Pick<SendingParts, "userAgent">,
  input: Planned,
): { url: string | null; server?: "operation"; cause?: Cause } {
  try {
    const plan = planOf(parts, input, () => new Uint8Array());
    return { url: finishPlan(plan).url, ...(plan.isOwnServer ? { server: "operation" } : {}) };
  } catch (error) {
    if (error instanceof Unsendable) return { url: null, cause: error.cause };
    throw error;
  }
}

/**
 * Whether the operation has to be looked at: only for a request that inherits, of a document with security schemes, and
 * that carries nothing. All others are sent without a lookup.
 */
function mayLackCredential(
  { request, mayRequireAuthentication, findCookies }: PrepareInput,
  plan: RequestPlan,
  { carriesCredentials }: AuthorizedRequest,
): boolean {
  if (!mayRequireAuthentication || request.authorization.kind !== "inherit" || carriesCredentials) return false;
  return !findCookies?.(new URL(finishPlan(plan).url));
}

/** Builds the request with its credentials. Nothing has been sent when it returns. */
export async function prepareRequest(parts: SendingParts, input: PrepareInput): Promise<Prepared> {
  const { request, organizationId } = input;
  try {
    if (input.unavailableSecret) throw new Unsendable("secret_unavailable", input.unavailableSecret);
    const plan = planOf(parts, input, await loadFiles(request.body, parts.findFile, organizationId));
    const foreign = input.guard?.refuse(plan.origin);
    if (foreign) throw new Unsendable(foreign.code, foreign.detail);
    const { verifiedDomainsOnly } = parts.settings.current();
    const context = { verifiedDomainsOnly, isConfirmed: input.isConfirmed };
    const rules = await parts.findHostRules(organizationId, plan.host);
    const refusal = findRefusal(plan, rules, context);
    if (refusal) throw new Unsendable(refusal.code, refusal.detail);
    const refuseRedirect: PreparedRequest["refuseRedirect"] = async (sent, next) => {
      const { url, method } = next;
      const ofHost = findRefusal(
        { method, host: url.host },
        await parts.findHostRules(organizationId, url.host),
        context,
      );
      if (ofHost) return { why: ofHost.detail };
      const why = input.guard?.refuseRedirect(sent, next);
      return why === undefined ? undefined : { why, isForeign: true };
    };
    const { authorizationConfigs } = rules;
    const isBound = request.authorization.kind === "inherit" && authorizationConfigs.length > 0;
    const operation = input.operation ?? (isBound ? await input.findOperation() : undefined);
    const authorization = chooseAuthorization(request.authorization, authorizationConfigs, operation);
    const authorized = await authorizeRequest(parts, { organizationId, plan, authorization, operation });
    if (mayLackCredential(input, plan, authorized)) {
      requireCredential(plan, operation ?? (await input.findOperation()));
    }
    const { method, host, origin, isOwnServer, body = null, bytes, files } = plan;
    const { followRedirects, readUntil } = request;
    const { hashesBody = false } = input;
    const message = {
      method,
      host,
      origin,
      isOwnServer,
      body,
      bytes,
      files,
      organizationId,
      followRedirects,
      readUntil,
      hashesBody,
      refuseRedirect,
    };
    const otherSecrets = [...(input.secrets ?? []), ...listTypedSecrets(plan)];
    const traceId = rules.isTraced ? input.traceId : undefined;
    return { ok: true, prepared: { ...authorized, ...message, otherSecrets, traceId } };
  } catch (error) {
    if (error instanceof Unsendable) return { ok: false, cause: error.cause, credentialId: error.credentialId };
    throw error;
  }
}
