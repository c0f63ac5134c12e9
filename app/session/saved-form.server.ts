import { gunzipSync, gzipSync } from "node:zlib";
import { INTENT } from "@conform-to/dom";
import { z } from "zod";
import { storedFormSeconds } from "#contracts/portal-service/stored-forms.ts";
import type { Backend } from "~/backend/backend";
import { isSecretField } from "~/forms/secret-fields";
import { accessNeeded } from "~/session/route-access";
import { createSealer } from "~/session/sealed-value.server";

/** Maximum size of a stored form, in bytes as sent. */
const maxSavedFormBytes = 2 * 1_048_576;

/** A request that can be read again if its sender has to sign in. */
export interface RequestWithForm {
  /** It is a form of a page that needs a sign-in. A script that sends one stays on its page, where nothing is lost. */
  isForm: boolean;
  isHeld: boolean;
  again(): Request;
}

export async function holdForm(request: Request): Promise<RequestWithForm> {
  const { method, headers, signal } = request;
  const mode = headers.get("sec-fetch-mode") ?? "navigate";
  const isForm = method === "POST" && mode === "navigate" && accessNeeded(request) !== "public";
  const isHeld =
    isForm &&
    !headers.has("transfer-encoding") &&
    Number(headers.get("content-length") ?? 0) <= maxSavedFormBytes &&
    /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers.get("content-type") ?? "");
  if (!isHeld) return { isForm, isHeld, again: () => request };
  const body = await request.arrayBuffer();
  return { isForm, isHeld, again: () => new Request(request.url, { method, headers, body, signal }) };
}

/** Why a form was stored: its sender's session had ended, or they first create something that it refers to. */
export type SavedWhile = "signed_out" | "aside";

/** A stored form with its typed values. */
const savedForm = z.object({
  entries: z.array(z.tuple([z.string(), z.string()])).describe("Fields and values, in order."),
  hadFiles: z.boolean().describe("It also had files, which can't be restored."),
  hadSecrets: z.boolean().describe("It also had passwords or secrets, which are not restored."),
  while: z.enum(["signed_out", "aside"]).default("signed_out"),
});
export type SavedForm = z.infer<typeof savedForm>;

const sealedForm = z.object({
  accountId: z.string(),
  path: z.string(),
  form: z.string().describe("gzip, base64: forms repeat their names."),
});

type Store = Pick<Backend, "portalService">;

/**
 * Stores a form while its sender signs in or is elsewhere, for the same account and page only. It is sealed here and
 * stored by portal-service, so that any process can restore it.
 */
export interface FormKeeper {
  /** Its id; undefined if it could not be stored. */
  keep(request: Request, accountId: string, store: Store, keptWhile?: SavedWhile): Promise<string | undefined>;
  find(formId: string, path: string, accountId: string, store: Store): Promise<SavedForm | undefined>;
}

export function createFormKeeper(secretsKey: string): FormKeeper {
  const sealer = createSealer(sealedForm, secretsKey, "kept form");
  return {
    async keep(request, accountId, { portalService }, keptWhile = "signed_out") {
      const form = await request.formData().catch(() => undefined);
      if (!form) return undefined;
      const packed = gzipSync(JSON.stringify(getKept(form, keptWhile))).toString("base64");
      const { pathname: path } = new URL(request.url);
      const sealed = sealer.seal({ accountId, path, form: packed }, storedFormSeconds);
      const result = await portalService.keepForm({ body: { userId: accountId, sealed } });
      return result.ok ? result.value.id : undefined;
    },
    async find(formId, path, accountId, { portalService }) {
      const result = await portalService.getKeptForm({ params: { formId }, query: { userId: accountId } });
      const stored = result.ok ? sealer.open(result.value.sealed) : undefined;
      if (stored?.accountId !== accountId || stored.path !== path) return undefined;
      return savedForm.parse(JSON.parse(gunzipSync(Buffer.from(stored.form, "base64")).toString()));
    },
  };
}

/** The pressed button is not stored: restoring a form must not trigger an action. */
const buttons = [INTENT, "intent", "then"];

function getKept(form: FormData, keptWhile: SavedWhile): SavedForm {
  const stored: SavedForm = { entries: [], hadFiles: false, hadSecrets: false, while: keptWhile };
  for (const [name, value] of form) {
    // An empty file field is sent as well.
    if (typeof value !== "string") stored.hadFiles ||= value.size > 0;
    else if (isSecretField(name)) stored.hadSecrets ||= value !== "";
    else if (!buttons.includes(name)) stored.entries.push([name, value]);
  }
  return stored;
}
