import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data } from "@remix-run/node";
import { z } from "zod";
import { addPasskey, passkeyName } from "#contracts/security-service/passkeys.ts";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { credentialIn, saidAtForm } from "~/session/credential.server";
import { requireViewer } from "~/session/guards";
import { renewSession } from "~/session/renew-session.server";
import { redirectWithToast } from "~/session/toast-message";
import { currentPassword } from "../current-password-field";

const beginInput = z.object({ name: passkeyName, currentPassword: currentPassword.optional() });
const addInput = z.object({ name: passkeyName, credential: credentialIn(addPasskey.body!.shape.credential) });

/** Two steps: the password leads to the options for the device, and the device's response to the passkey. */
export async function actOnPasskeys({ request, context }: ActionFunctionArgs) {
  const { securityService } = (await requireViewer(request, context)).backend;
  const form = await readForm(request);
  if (form.get("intent") === "add") {
    const submission = parseWithZod(form, { schema: addInput });
    if (submission.status !== "success") return data({ reply: saidAtForm(submission) }, 422);
    const added = await securityService.addPasskey({ body: submission.value });
    if (!added.ok) return data({ reply: saidAtForm(submission, added.problem) }, added.status);
    await renewSession(context);
    const { passkey, recoveryCodes } = added.value;
    if (recoveryCodes.length > 0) return data({ codes: recoveryCodes });
    return redirectWithToast(context, href("/profile/passkeys"), `The passkey ${passkey.name} is added.`);
  }
  if (form.get("intent") !== "begin") throw new Response("No such action.", { status: 400 });
  const submission = parseWithZod(form, { schema: beginInput });
  if (submission.status !== "success") return data({ reply: submission.reply() }, 422);
  const { name, ...body } = submission.value;
  const begun = await securityService.beginPasskey({ body });
  if (begun.ok) return data({ options: begun.value, name });
  return data({ reply: rejected(submission, begun.problem).data }, begun.status);
}
