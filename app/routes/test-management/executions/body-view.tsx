import { CodeBlock } from "~/ui/code-block/code-block";
import { JsonView } from "~/ui/json-view/json-view";

/** Larger texts are shown from their beginning: the page has to stay usable on a slow line. */
const shownCharacters = 100_000;

/** A body as JSON where it is JSON, else as the text it is. Never as markup. */
export function BodyView({ id, label, text }: { id: string; label: string; text: string }) {
  if (text.length <= shownCharacters && /^\s*[[{]/.test(text)) return <JsonView id={id} label={label} text={text} />;
  const shown = text.slice(0, shownCharacters);
  const cut = text.length > shown.length;
  return (
    <>
      <CodeBlock id={id} label={label} code={shown} wrap copy />
      {cut && <p>{(text.length - shown.length).toLocaleString("en")} more characters are not shown.</p>}
    </>
  );
}
