import { type RefObject, useEffect } from "react";

/** Replaces the JSON body's text area by an editor once that kind is selected, and loads its code only then. */
export function useJsonEditor(form: RefObject<HTMLFormElement>, bodyKind: string | undefined, schemaAddress: string) {
  useEffect(() => {
    const area = form.current?.querySelector<HTMLTextAreaElement>("textarea[data-json-editor]");
    if (bodyKind !== "json" || !area || area.matches(":disabled")) return;
    let dismount: (() => void) | undefined;
    let deleted = false;
    void import("./json-editor/mount-json-editor.ts").then(({ mountJsonEditor }) => {
      if (!deleted) dismount = mountJsonEditor(area, schemaAddress);
    });
    return () => {
      deleted = true;
      dismount?.();
    };
  }, [form, bodyKind, schemaAddress]);
}
