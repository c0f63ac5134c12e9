import type { Authentication } from "#contracts/api-registry/authentication.ts";
import { mayAnswer } from "#libraries/openapi/answering-credential.ts";
import { describeWanted } from "#libraries/openapi/scheme-words.ts";
import { available, required } from "~/backend/responses";
import { type FilledForm, fillForm, toNeed } from "~/features/authentication/authentication-need";
import {
  type Answer,
  findAnswer,
  findHostCredentials,
  type HostCredentials,
  toHost,
} from "~/features/authentication/host-credentials.server";
import type { Viewer } from "~/session/guards";

export interface SchemeAtHost {
  schemeName: string;
  /** For example "an API key in X-API-Key". */
  wanted: string;
  host: string;
  /** Undefined: none is stored. */
  answer: Answer | undefined;
}

/** The form for one scheme at one host, with the stored credentials that may answer it, too. */
export interface SchemeForm {
  schemeName: string;
  wanted: string;
  filled: FilledForm;
  choices: { value: string; label: string }[];
}

/** An API with many environments on hosts of their own is rare; each costs two calls. */
const maxHosts = 10;

/** Hosts that requests of an API go to: its own, and those of its environments by name. */
export async function listHosts({ backend }: Viewer, apiId: string): Promise<Map<string, string[]>> {
  const params = { apiId };
  const [api, environments] = await Promise.all([
    backend.apiRegistry.summarizeApi({ params }).then(required),
    backend.apiRegistry.listEnvironments({ params }).then(available),
  ]);
  const hosts = new Map<string, string[]>();
  const own = toHost(api.effectiveBaseUrl);
  if (own) hosts.set(own, []);
  for (const { name, baseUrl } of environments?.items ?? []) {
    const host = toHost(baseUrl);
    if (host) hosts.set(host, [...(hosts.get(host) ?? []), name]);
  }
  return new Map([...hosts].slice(0, maxHosts));
}

/** What is stored for each host; hosts are left out while security-service is away. */
export async function listStored(viewer: Viewer, hosts: Iterable<string>): Promise<HostCredentials[]> {
  const found = await Promise.all([...hosts].map((host) => findHostCredentials(viewer, host)));
  return found.filter((one) => one !== undefined);
}

export function listSchemes({ securitySchemes }: Authentication, stored: readonly HostCredentials[]): SchemeAtHost[] {
  return stored.flatMap((host) =>
    securitySchemes.map((scheme) => ({
      schemeName: scheme.name,
      wanted: describeWanted(scheme),
      host: host.host,
      answer: findAnswer(host, scheme),
    })),
  );
}

/** The form of the chosen scheme and host; if none is chosen, of the first that is unanswered. */
export function findForm(
  { securitySchemes, requirements }: Authentication,
  stored: readonly HostCredentials[],
  chosen: { scheme: string | null; host: string | null },
): SchemeForm | undefined {
  const at = stored.find(({ host }) => host === chosen.host) ?? stored[0];
  if (!at) return undefined;
  const lacking = stored.flatMap((one) => {
    const isAnswered = (scheme: (typeof securitySchemes)[number]) => findAnswer(one, scheme) !== undefined;
    const need = toNeed(requirements, securitySchemes, { host: one.host, isAnswered });
    return need ? [{ at: one, name: need.schemeName }] : [];
  });
  const wanted = chosen.scheme === null ? lacking[0] : { at, name: chosen.scheme };
  const scheme = securitySchemes.find(({ name }) => name === wanted?.name);
  if (!wanted || !scheme) return undefined;
  const answer = findAnswer(wanted.at, scheme);
  const fitting = wanted.at.credentials.filter(
    ({ id, type }) => id !== answer?.credentialId && mayAnswer(type, scheme),
  );
  return {
    schemeName: scheme.name,
    wanted: describeWanted(scheme),
    filled: fillForm(scheme, wanted.at.host),
    choices: fitting.map(({ id, name }) => ({ value: id, label: name })),
  };
}
