import { useForm } from "@conform-to/react";
import { PreviewedForm, type PreviewedFormProps } from "~/features/schedules/previewed-form";
import { useSavedResult } from "~/forms/use-saved-form";
import { BehaviourFields, type ScheduleFormFields, TimeFields } from "./schedule-fields";
import type { DisplayedPreview, ScheduleResult } from "./schedule-form.server";
import { SchedulePreview } from "./schedule-preview";

export interface ScheduleEditorProps
  extends Omit<PreviewedFormProps<ScheduleFormFields>, "form" | "resource" | "previewLabel" | "children"> {
  first: ScheduleFormFields;
  preview: DisplayedPreview | undefined;
  result: ScheduleResult | undefined;
}

/** The form of a schedule, new or stored, with a preview of its runs. */
export function ScheduleEditor({ first, preview, result, ...rest }: ScheduleEditorProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<ScheduleFormFields>({
    id: "schedule",
    lastResult: result?.result ?? stored,
    defaultValue: first,
  });
  const displayed = result ? result.preview : preview;
  return (
    <PreviewedForm {...rest} form={form} resource="schedule" previewLabel="Show next runs">
      <TimeFields fields={fields} />
      {displayed && <SchedulePreview preview={displayed} />}
      <BehaviourFields fields={fields} />
    </PreviewedForm>
  );
}
