import { describeAlternatives } from "#libraries/openapi/scheme-words.ts";
import { available } from "~/backend/responses";
import { fillForm } from "~/features/authentication/authentication-need";
import { toHost } from "~/features/authentication/host-credentials.server";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";

/** APIs in the choice; further ones are reached from their own settings. */
const displayedApis = 200;

export interface SchemeChoice {
  name: string;
  /** For example "an API key in X-API-Key". */
  words: string;
  /** The form, filled in for this scheme. */
  address: string;
}

/** The APIs to choose from and, of the chosen one, the security schemes of its document. */
export async function findApiChoice({ backend }: Viewer, search: URLSearchParams) {
  const apiId = search.get("apiId") || undefined;
  const returnTo = search.get("returnTo");
  const apis = await backend.apiRegistry.listApis({ query: { limit: displayedApis } }).then(available);
  const chosen = apis?.items.find(({ id }) => id === apiId);
  const authentication =
    chosen && available(await backend.apiRegistry.getAuthentication({ params: { apiId: chosen.id } }));
  const host = toHost(chosen?.effectiveBaseUrl);
  const schemes = authentication?.securitySchemes.map((scheme): SchemeChoice => {
    const { name, domain, types, settings } = fillForm(scheme, host ?? "");
    const { in: location, parameterName, tokenUrl } = settings;
    return {
      name: scheme.name,
      words: describeAlternatives([[scheme.name]], authentication.securitySchemes),
      address: href("/administration/credentials/create", {
        ...{ name: host ? name : scheme.name, domain: domain || undefined, type: types[0] },
        ...{ in: location, parameterName, tokenUrl, apiId, returnTo },
      }),
    };
  });
  return {
    apis: (apis?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
    chosen: chosen && { id: chosen.id, name: chosen.name },
    schemes,
    returnTo,
  };
}
export type ApiChoice = Awaited<ReturnType<typeof findApiChoice>>;
