import { Button } from "~/ui/button/button";

export interface CopyButtonProps {
  /** `id` of the element whose text is copied. */
  targetId: string;
  /** Completes its name: "Copy request body". */
  label: string;
}

/**
 * Hidden until the page's script finds `data-copy`, shows it and attaches its handler: a button without effect is worse
 * than none.
 */
export function CopyButton({ targetId, label }: CopyButtonProps) {
  return (
    <Button type="button" hidden data-copy={targetId} size="small" variant="quiet" icon="copy" labelHidden title="Copy">
      Copy {label}
    </Button>
  );
}
