import { useForm } from "@conform-to/react";
import { PreviewedForm, type PreviewedFormProps } from "~/features/schedules/previewed-form";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { Notice } from "~/ui/notice/notice";
import { ScopeFields, TimeFields } from "./window-fields";
import type { WindowFormFields } from "./window-form";
import type { DisplayedSpans, WindowChoices, WindowResult } from "./window-form.server";
import { spanWords } from "./window-words";

export interface WindowEditorProps
  extends Omit<PreviewedFormProps<WindowFormFields>, "form" | "resource" | "previewLabel" | "cancelHref" | "children"> {
  first: WindowFormFields;
  choices: WindowChoices;
  /** For a stored window. */
  preview?: DisplayedSpans;
  result: WindowResult | undefined;
}

/** The form of a maintenance window, new or stored, with a preview of its times. */
export function WindowEditor({ first, choices, preview, result, ...rest }: WindowEditorProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<WindowFormFields>({
    id: "window",
    lastResult: result?.result ?? stored,
    defaultValue: first,
  });
  const displayed = result ? result.preview : preview;
  return (
    <PreviewedForm
      {...rest}
      form={form}
      resource="window"
      previewLabel="Preview"
      cancelHref={href("/test-management/maintenance-windows")}
    >
      <ScopeFields fields={fields} choices={choices} />
      <TimeFields fields={fields} />
      {displayed && <WindowPreview preview={displayed} />}
    </PreviewedForm>
  );
}

function WindowPreview({ preview: { items, timeZone } }: { preview: DisplayedSpans }) {
  return (
    <Card id="preview" tabIndex={-1} title="The next times">
      {items.length === 0 ? (
        <Notice tone="warning">This window never applies: it is already over, or never starts.</Notice>
      ) : (
        <ol>
          {items.map((span) => (
            <li key={span.from}>{spanWords(span, timeZone)}</li>
          ))}
        </ol>
      )}
    </Card>
  );
}
