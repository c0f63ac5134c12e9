import type { Domain } from "#contracts/security-service/domains.ts";
import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

type Verification = Domain["verification"];

/** Number of daily checks that must miss a proof before it no longer counts, as in security-service. */
const maxMissedChecks = 3;

/** The state in a word or two, and its appearance. */
export function getStatusWords({ state, failure }: Verification): { words: string; tone: Tone } {
  if (state === "verified")
    return failure ? { words: "Not verified", tone: "warning" } : { words: "Verified", tone: "success" };
  return { words: "Unverified", tone: "neutral" };
}

/** The consequence of a vanished proof. */
export function graceInWords(
  { missedChecks, provenAt }: Verification,
  formatMoment: (value: string) => string,
): string {
  const since = provenAt ? ` Last found on ${formatMoment(provenAt)}.` : "";
  const left = maxMissedChecks - missedChecks;
  const more = left === 1 ? "the next daily check misses it too" : `${left} more daily checks in a row miss it`;
  return `The domain stays verified unless ${more}.${since}`;
}

/** The message after a check. */
export function checkedToast({ name, verification }: Domain) {
  const { state, failure } = verification;
  if (!failure) return { message: `Verified: ${name}.`, variant: "success" as const };
  return {
    message: state === "verified" ? `Verification record not found. ${failure}` : `${name} is not verified. ${failure}`,
    variant: "warning" as const,
  };
}

/** The question before a domain is deleted, or the reason why it can't be. */
export function deletionInWords(domain: Pick<Domain, "name" | "credentialCount" | "authorizationConfigCount">): {
  title: string;
  message: string;
} {
  const { name, credentialCount, authorizationConfigCount: configs } = domain;
  if (credentialCount === 0) {
    const go = configs === 1 ? "Its authorization config is deleted too. " : "";
    const goAll = configs > 1 ? `Its ${plural(configs, "authorization config")} are deleted too. ` : "";
    return {
      title: `Delete ${name}?`,
      message: `${go}${goAll}If you create it again, it needs a new proof with another text. This can't be undone.`,
    };
  }
  const are = `${plural(credentialCount, "credential")} ${credentialCount === 1 ? "is" : "are"} bound to it.`;
  return {
    title: `${name} can't be deleted yet`,
    message: `${are} Delete ${credentialCount === 1 ? "it" : "them"} first, or give ${credentialCount === 1 ? "it" : "them"} another domain.`,
  };
}
