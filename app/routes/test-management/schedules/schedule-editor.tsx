import { useForm } from "@conform-to/react";
import { PreviewedForm, type PreviewedFormProps } from "~/features/schedules/previewed-form";
import { useSavedResult } from "~/forms/use-saved-form";
import { BehaviourFields, type ScheduleFormFields, TimeFields } from "./schedule-fields";
import type { DisplayedPreview, ScheduleResult } from "./schedule-form.server";
import { SchedulePreview } from "./schedule-preview";

export interface ScheduleEditorProps
  extends Omit<PreviewedFormProps<ScheduleFormFields>, "form" | "what" | "previewLabel" | "children"> {
  first: ScheduleFormFields;
  preview: DisplayedPreview | undefined;
  answer: ScheduleResult | undefined;
}

/** The form of a schedule, new or stored, with a preview of its runs. */
export function ScheduleEditor({ first, preview, answer, ...rest }: ScheduleEditorProps) {
  const kept = useSavedResult();
  const [form, fields] = useForm<ScheduleFormFields>({
    id: "schedule",
    lastResult: answer?.result ?? kept,
    defaultValue: first,
  });
  const shown = answer ? answer.preview : preview;
  return (
    <PreviewedForm {...rest} form={form} what="schedule" previewLabel="Show next runs">
      <TimeFields fields={fields} />
      {shown && <SchedulePreview preview={shown} />}
      <BehaviourFields fields={fields} />
    </PreviewedForm>
  );
}
