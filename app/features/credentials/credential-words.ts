import type { Credential, CredentialUse } from "#contracts/security-service/credentials.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import type { ToastMessage } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

/** How a credential is sent, without its secret: `API key in header X-API-Key`, `Basic as ana`. */
export function describeCredential({ type, settings }: Pick<Credential, "type" | "settings">): string {
  const { name, describe } = credentialKinds[type];
  return describe?.(settings) ?? name;
}

/** The result of a credential's trial: a response proves nothing, unless it concerns the authentication. */
export function verdictOfTry({ response }: Pick<Attempt, "response">): { tone: Tone; title: string; words: string } {
  if (!response) return { tone: "danger", title: "No response", words: "" };
  const title = `Status ${response.status}`;
  if (response.status === 401) return { tone: "danger", title, words: "The server does not accept this credential." };
  if (response.status === 403) {
    return {
      tone: "warning",
      title,
      words: "The server refuses: often the credential is valid but lacks permission.",
    };
  }
  if (response.status < 400) return { tone: "success", title, words: "The server accepts the request." };
  return { tone: "warning", title, words: "The server returns an error unrelated to the credential." };
}

/** Services that could not report the uses of a credential. */
export function getUnavailableParts({ tests, apis }: CredentialUse): string[] {
  return [...(tests ? [] : ["test-registry"]), ...(apis ? [] : ["api-registry"])];
}

/** For example `2 tests, 1 API`. */
export function describeUse(use: CredentialUse | null): string {
  if (!use) return "unknown";
  const { tests, apis, authorizationConfigs: configs } = use;
  const known = [
    tests && plural(tests.total, "test"),
    apis && plural(apis.total, "API"),
    configs.total > 0 && plural(configs.total, "authorization config"),
  ].filter((words) => words);
  if (known.length === 0) return "unknown";
  if (tests && apis && tests.total + apis.total + configs.total === 0) return "Nothing";
  return known.join(", ");
}

const unknownUse: CredentialUse = { tests: null, apis: null, authorizationConfigs: { total: 0, items: [] } };
const maxNamed = 3;

function configsInWords({ total, items }: CredentialUse["authorizationConfigs"]): string {
  const named = items.slice(0, maxNamed).map(({ schemeName, domain }) => `${schemeName} at ${domain}`);
  const more = total - named.length;
  const list = [...named, ...(more > 0 ? [`${more.toLocaleString("en")} more`] : [])];
  const last = list.pop();
  const words = list.length > 0 ? `${list.join(", ")} and ${last}` : last;
  return `${total === 1 ? "Its authorization config is" : "Its authorization configs are"} deleted too: ${words}.`;
}

/** The effect of deleting a credential on the tests and APIs that use it. */
export function deletionInWords(use: CredentialUse | null): string {
  const { tests, apis, authorizationConfigs: configs } = use ?? unknownUse;
  const named = tests
    ? tests.total > 0 && `${plural(tests.total, "test")} using it will error until you choose another credential.`
    : "Tests using it will error until you choose another credential.";
  const inherited = apis
    ? apis.total > 0 &&
      `Tests of ${apis.total === 1 ? apis.items[0]!.name : `${apis.total.toLocaleString("en")} APIs`} that inherit their authorization are sent without it.`
    : "Tests that inherit their authorization are sent without it.";
  const goes = configs.total > 0 && configsInWords(configs);
  const nothing = tests && apis && !named && !inherited && !goes && "Not used.";
  return [nothing, named, inherited, goes, "This can't be undone."].filter((sentence) => sentence).join(" ");
}

const shortestClear = 8;

/**
 * The message after a credential was stored, with a warning when its secret occurs in many words. The secret is used
 * all the same.
 */
export function storedToast(stored: string, secret: string | undefined): Omit<ToastMessage, "id"> {
  if (!secret || secret.length >= shortestClear) return { message: stored, variant: "success" };
  const warning = `Its secret has fewer than ${shortestClear} characters: results show [secret] wherever they appear, even within other words.`;
  return { message: `${stored} ${warning}`, variant: "warning" };
}
