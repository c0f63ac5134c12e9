import { useRouteError } from "@remix-run/react";
import { Notice } from "~/ui/notice/notice";
import { useSavedFormOrLoss } from "./use-saved-form";

/** After a repeated sign-in, explains what happened to the form that was sent before. */
export function SavedFormNotice() {
  const stored = useSavedFormOrLoss();
  const error = useRouteError();
  if (!stored || error) return null;
  if (typeof stored === "object" && stored.while === "aside") {
    return <Notice role="status" tone="info" title="We restored your unsaved changes" />;
  }
  if (stored === "lost") {
    return (
      <Notice role="status" tone="info" title="Your input could not be restored">
        Nothing was changed.
      </Notice>
    );
  }
  return (
    <Notice role="status" tone="info" title="You were signed out before this was sent">
      We restored your input; nothing was sent.
      {stored.hadFiles && " Files can't be restored. Choose them again."}
      {stored.hadSecrets && " Passwords and secrets are not restored. Enter them again."}
    </Notice>
  );
}
