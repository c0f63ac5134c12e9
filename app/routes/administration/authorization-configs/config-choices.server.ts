import type { Credential } from "#contracts/security-service/credentials.ts";
import { available } from "~/backend/responses";
import { describeCredential } from "~/features/credentials/credential-words";
import { securityInWords } from "~/features/operation/security-words";
import type { Viewer } from "~/session/guards";
import type { Choices } from "./config-fields";

/** Maximum number of entries in one list of choices. */
const limit = 200;

const getChoice = ({ id, name, domain, ...credential }: Credential) => ({
  value: id,
  label: `${name}: ${describeCredential(credential)}, for ${domain}`,
});

/**
 * Choices for a config: credentials, first those that may be sent to its domain, and the schemes of its API. @param
 * madeId a credential just created for it, which is always a choice, however many there are
 */
export async function loadChoices(
  { backend, may }: Viewer,
  { domain, apiId, madeId }: { domain: string; apiId?: string | undefined; madeId?: string | undefined },
): Promise<Choices> {
  const { securityService, apiRegistry } = backend;
  const query = { limit, usedBy: "false" as const };
  const [fitting, all, described, made] = await Promise.all([
    domain ? securityService.listDomainCredentials({ params: { domain }, query }).then(available) : undefined,
    securityService.listCredentials({ query }).then(available),
    apiId && may("apis:read") ? apiRegistry.describeApi({ params: { apiId } }).then(available) : undefined,
    madeId ? securityService.getCredential({ params: { credentialId: madeId } }) : undefined,
  ]);
  const fits = fitting?.items ?? [];
  const listed = all?.items ?? [];
  if (made?.ok && !listed.some(({ id }) => id === made.value.id)) listed.unshift(made.value);
  const others = listed.filter(({ id }) => !fits.some((one) => one.id === id));
  return {
    fitting: fits.map(getChoice),
    others: others.map(getChoice),
    schemes: (described?.securitySchemes ?? []).map((scheme) => ({
      value: scheme.name,
      label: `${scheme.name}: ${securityInWords(scheme)}`,
    })),
  };
}
