import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { required } from "~/backend/responses";
import { findAnswer, findHostCredentials } from "~/features/authentication/host-credentials.server";
import { newCredentialForm } from "~/features/credentials/credential-form";
import { storedToast } from "~/features/credentials/credential-words";
import { atSecretFields } from "~/features/credentials/secret-source";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";

interface Answering {
  viewer: Viewer;
  context: PortalContext;
  apiId: string;
  search: URLSearchParams;
  form: FormData;
}

/** The page that asked for the credential, else the page Authentication. */
export function getReturn(apiId: string, search: URLSearchParams): string {
  return ownPath(search.get("returnTo"), href("/api-management/:apiId/details/authentication", { apiId }));
}

/** Stores a credential. Where another one answered the scheme, a config says that this one does from now on. */
export async function storeCredential({ viewer, context, apiId, search, form }: Answering) {
  requireScope(viewer, "credentials:manage");
  const submission = parseWithZod(form, { schema: newCredentialForm });
  if (submission.status !== "success") return rejected(submission);
  const before = await findAnswerBefore(viewer, apiId, search, submission.value.domain);
  const created = await viewer.backend.securityService.createCredential({ body: submission.value });
  if (!created.ok) return rejected(submission, atSecretFields(created.problem));
  const { id, name, domain } = created.value;
  if (before) await bind(viewer, { domain, schemeName: before.schemeName, credentialId: id });
  const stored = `${name} is stored, for ${domain} only.`;
  return redirectWithToast(context, getReturn(apiId, search), storedToast(stored, submission.value.secret));
}

/** Lets a stored credential answer a scheme. */
export async function bindCredential({ viewer, context, apiId, search, form }: Answering) {
  requireScope(viewer, "domains:manage");
  const text = (name: string) => String(form.get(name) ?? "");
  const binding = { domain: text("domain"), schemeName: text("schemeName"), credentialId: text("credentialId") };
  if (binding.credentialId === "") {
    return data({ status: "error" as const, error: { credentialId: ["Choose a credential"] } }, { status: 422 });
  }
  const bound = required(await bind(viewer, binding));
  const words = `${bound.schemeName} is mapped to ${bound.credentialName} at ${bound.domain}.`;
  return redirectWithToast(context, getReturn(apiId, search), words);
}

/** Sets whether generated tests send the credentials of their host, where the document names no scheme. */
export async function answerQuestion({ viewer, context, apiId, search }: Answering, sendsHostCredentials: boolean) {
  requireScope(viewer, "apis:write");
  const { changeAuthentication } = viewer.backend.apiRegistry;
  required(await changeAuthentication({ params: { apiId }, body: { sendsHostCredentials } }));
  const words = sendsHostCredentials
    ? "New tests send the credentials of their host."
    : "New tests are sent without credentials.";
  return redirectWithToast(context, getReturn(apiId, search), words);
}

/** A scheme that is answered already: the new credential would not be chosen by itself. */
async function findAnswerBefore(viewer: Viewer, apiId: string, search: URLSearchParams, domain: string) {
  const schemeName = search.get("scheme");
  if (schemeName === null || !viewer.may("domains:manage")) return undefined;
  const [authentication, stored] = await Promise.all([
    viewer.backend.apiRegistry.getAuthentication({ params: { apiId } }).then(required),
    findHostCredentials(viewer, domain.replace(/^\*\./, "")),
  ]);
  const scheme = authentication.securitySchemes.find(({ name }) => name === schemeName);
  return scheme && stored && findAnswer(stored, scheme) ? { schemeName } : undefined;
}

async function bind({ backend }: Viewer, binding: { domain: string; schemeName: string; credentialId: string }) {
  const { listDomainAuthorizationConfigs, createAuthorizationConfig, changeAuthorizationConfig } =
    backend.securityService;
  const { domain, schemeName } = binding;
  const found = await listDomainAuthorizationConfigs({
    params: { domain: domain.replace(/^\*\./, "") },
    query: { limit: 200 },
  });
  const existing = required(found).items.find((one) => one.domain === domain && one.schemeName === schemeName);
  if (!existing) return await createAuthorizationConfig({ body: binding });
  const params = { authorizationConfigId: existing.id };
  return await changeAuthorizationConfig({ params, body: binding });
}
