import type { SubmissionResult } from "@conform-to/dom";
import { type DefaultValue, parse, useForm } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { EditorProps, Trial } from "~/features/test-editor/editor-props";
import type { EditorForm } from "~/features/test-editor/sections/editor-form";
import type { TestFormValues } from "~/features/test-editor/test-form-values";
import { sideBySide } from "./layout-break.ts";
import { changedRow, focusChangedRow, type RowChange, readRowChange } from "./row-change.ts";
import { sendForm } from "./send-form.ts";

/** The form and the handlers of its buttons. Values are validated by the server only. */
export function useEditorForm({ values, reply, sendAddress }: EditorProps) {
  const formElement = useRef<HTMLFormElement>(null);
  // Memoized: given again, conform would repeat the row change of a reply.
  const [first] = useState(() => splitReply(reply?.lastResult, values));
  const [lastResult, setLastResult] = useState(first.lastResult);
  const [trial, setTrial] = useState<Trial | undefined>(reply?.trial);
  const [sending, setSending] = useState(false);
  const [statusMessage, setStatusMessage] = useState("");
  const pendingChange = useRef<RowChange>();
  const current = useRef<EditorForm>();

  const [form] = useForm<TestFormValues>({
    id: "test",
    defaultValue: first.defaultValue,
    lastResult,
    onValidate: ({ formData }) =>
      parse(formData, {
        resolve: (payload, intent) =>
          intent ? { error: remainingErrors(current.current) } : { value: payload as unknown as TestFormValues },
      }),
  });

  current.current = form as EditorForm;

  useEffect(() => {
    const change = pendingChange.current;
    if (!change || !formElement.current) return;
    pendingChange.current = undefined;
    focusChangedRow(formElement.current, form.id, change);
  });

  async function send(element: HTMLFormElement, submitter: HTMLElement) {
    setSending(true);
    setStatusMessage("Sending the request");
    const sent = await sendForm(sendAddress, new FormData(element, submitter));
    setSending(false);
    if (sent.lastResult) setLastResult(withoutValues(sent.lastResult));
    if (sent.trial) setTrial(sent.trial);
    setStatusMessage(sent.statusMessage);
    // In the stacked layout the response would appear out of sight.
    if (sent.trial && !matchMedia(sideBySide).matches) document.getElementById("response")?.focus();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const submitter = (event.nativeEvent as SubmitEvent).submitter;
    if (submitter instanceof HTMLButtonElement && submitter.name === "then" && submitter.value === "send") {
      event.preventDefault();
      if (!sending) void send(event.currentTarget, submitter);
      return;
    }
    const change = submitter instanceof HTMLButtonElement ? readRowChange(submitter) : undefined;
    form.onSubmit(event);
    if (!change) return;
    setStatusMessage(change.statusMessage);
    pendingChange.current = change;
  }

  return {
    form: form as EditorForm,
    formElement,
    onSubmit,
    trial,
    sending,
    statusMessage,
    justChanged: changedRow(reply?.lastResult),
  };
}

function splitReply(reply: SubmissionResult | undefined, values: TestFormValues) {
  return {
    lastResult: reply && withoutValues(reply),
    // The typed values become the form's default value, since conform names rows (React's keys) only from that.
    defaultValue: (reply?.initialValue ?? values) as DefaultValue<TestFormValues>,
  };
}

function withoutValues({ initialValue: _, ...result }: SubmissionResult): SubmissionResult {
  return result;
}

/** null keeps the field's error: adding a row resolves none. */
function remainingErrors(form: EditorForm | undefined): Record<string, string[] | null> {
  return Object.fromEntries(Object.keys(form?.allErrors ?? {}).map((name): [string, null] => [name, null]));
}
