import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import { settingSchemas } from "#contracts/kit/settings.ts";
import { problemResponse } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { settingWords } from "../setting-words";
import { type Section, sectionAddress } from "./sections";

/** The section that each form is in. */
const sectionOfForm = {
  saveLimits: "limits",
  saveNetwork: "network",
  saveRetention: "retention",
  saveRegistration: "registration",
} as const satisfies Record<string, Section>;

/** An empty field resets to the default. */
const orDefault = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().transform((value) => (value === undefined ? null : value));

/** Separated by lines or commas; errors are reported at the one field that contains them. */
const targetLines = z
  .string()
  .optional()
  .transform((text = "", { addIssue }) => {
    const entries = settingSchemas.egressAllow.safeParse(text.split(/[\s,]+/).filter(Boolean));
    if (entries.success) return entries.data.length > 0 ? entries.data : null;
    for (const { message } of entries.error.issues) addIssue(message);
    return z.NEVER;
  });

/** An unchecked box sends nothing and means the default. */
const ticked = z
  .boolean()
  .default(false)
  .transform((isOn) => isOn || null);

const {
  testTimeoutSeconds,
  concurrencyPerOrganization,
  answerKibibytes,
  judgedMebibytes,
  leastVerdictsDays,
  passedBodiesEvery,
} = settingSchemas;
const forms = {
  saveLimits: z.object({
    testTimeoutSeconds: orDefault(testTimeoutSeconds),
    concurrencyPerOrganization: orDefault(concurrencyPerOrganization),
    answerKibibytes: orDefault(answerKibibytes),
    judgedMebibytes: orDefault(judgedMebibytes),
  }),
  saveNetwork: z.object({ egressAllow: targetLines, verifiedDomainsOnly: ticked }),
  saveRetention: z.object({
    leastVerdictsDays: orDefault(leastVerdictsDays),
    passedBodiesEvery: orDefault(passedBodiesEvery),
  }),
  saveRegistration: z.object({ registrationByInvitation: ticked }),
};
type SettingsForm = keyof typeof forms;

export interface SettingsResult {
  form: SettingsForm;
  reply: SubmissionResult;
}

interface ActionRequest {
  viewer: Viewer;
  context: PortalContext;
  form: FormData;
}

export const isSettingsForm = (intent: unknown): intent is SettingsForm => Object.hasOwn(forms, String(intent));

/** Saves the settings of the submitted form, and confirms it. */
export async function handleSettingsForm({ viewer, context, form }: ActionRequest, name: SettingsForm) {
  const submission = parseWithZod(form, { schema: forms[name] as z.ZodType<z.output<(typeof forms)[SettingsForm]>> });
  const answered = ({ data: reply, init }: ReturnType<typeof rejected>) =>
    data({ form: name, reply } satisfies SettingsResult, init ?? undefined);
  if (submission.status !== "success") return answered(rejected(submission));
  const saved = await viewer.backend.securityService.changeSettings({ body: submission.value });
  if (!saved.ok) return answered(rejected(submission, saved.problem));
  return redirectWithToast(context, sectionAddress(sectionOfForm[name]), "Saved. Applied everywhere within 2 seconds.");
}

/** Reverts a change, unless the setting was changed again in the meantime. */
export async function undoChange({ viewer, context, form }: ActionRequest) {
  const here = sectionAddress("changes");
  const changeId = String(form.get("changeId") ?? "");
  const undone = await viewer.backend.securityService.undoSettingChange({ params: { changeId } });
  if (undone.ok) return redirectWithToast(context, here, `${settingWords[undone.value.setting].name} is restored.`);
  if (undone.status !== 409) throw problemResponse(undone.problem);
  return redirectWithToast(context, here, { title: "Error", message: undone.problem.detail, variant: "danger" });
}
