import type { ToastMessage } from "~/session/toast-message";
import type { Credential } from "../../../../services/security-service/contract/credentials.ts";

export const typeNames: Record<Credential["type"], string> = { basic: "Basic", bearer: "Bearer", apiKey: "API key" };

const placeNames = { header: "header", query: "query parameter", cookie: "cookie" } as const;

/** How a credential is sent, without its secret: `API key in header X-API-Key`, `Basic as ana`. */
export function describeCredential({ type, settings }: Pick<Credential, "type" | "settings">): string {
  if (type === "basic") return `${typeNames.basic} as ${settings.username ?? "nobody"}`;
  if (type === "apiKey" && settings.in)
    return `${typeNames.apiKey} in ${placeNames[settings.in]} ${settings.parameterName}`;
  return typeNames[type];
}

const shortestClear = 8;

/** What is said when a credential was stored, with a warning where its secret is part of many words. It is used all the same. */
export function storedToast(stored: string, secret: string | undefined): Omit<ToastMessage, "id"> {
  if (!secret || secret.length >= shortestClear) return { message: stored, variant: "success" };
  const warning = `Its secret has fewer than ${shortestClear} characters: results show [secret] wherever these come, within other words too.`;
  return { message: `${stored} ${warning}`, variant: "warning" };
}
