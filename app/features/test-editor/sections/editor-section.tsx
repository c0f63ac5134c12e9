import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Badge } from "~/ui/badge/badge";
import { countBadge } from "~/ui/count/count-badge.css";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { type EditorForm, JustChanged, OpenSections } from "./editor-form.ts";
import * as styles from "./editor-section.css";

export interface EditorSectionProps {
  form: EditorForm;
  id: string;
  title: string;
  /** Number of entries; omitted where nothing is counted. */
  count?: number;
  /** What it holds, shown while it is closed. */
  brief?: ReactNode;
  description?: ReactNode;
  /** Names of its fields, or their prefixes. */
  holds: readonly string[];
  /** It has content, so it starts open. */
  filled: boolean;
  children: ReactNode;
}

/** A part of the test. An empty one is closed; one with an error opens and shows it. */
export function EditorSection(props: EditorSectionProps) {
  const { form, id, title, count, description, holds, filled, children } = props;
  const brief = props.brief || (count === 0 ? "None" : undefined);
  const justChanged = useContext(JustChanged);
  const kept = useContext(OpenSections);
  const isWithin = (name: string) => holds.some((start) => name === start || /^[.[]/.test(afterStart(name, start)));
  const faulty = Object.keys(form.allErrors ?? {}).filter(isWithin);
  const [first] = useState({ filled, open: kept === undefined ? filled : kept.split(" ").includes(id) });
  // Set once and never reset, so that the user may close it.
  const opens = useRef(first.open || (justChanged !== undefined && isWithin(justChanged)));
  opens.current ||= faulty.length > 0 || (filled && !first.filled);

  const faults = faulty.join(" ");
  useEffect(() => {
    if (faults) document.getElementById(id)?.setAttribute("open", "");
  }, [faults, id]);

  return (
    <Disclosure
      id={id}
      look="framed"
      open={opens.current}
      data-section=""
      className={styles.section}
      summary={
        <>
          <h2 className={styles.title}>{title}</h2>
          {count !== undefined && count > 0 && <span className={countBadge}>{count}</span>}
          {faulty.length > 0 && <Badge tone="danger">{plural(faulty.length, "error")}</Badge>}
          {brief && <span className={styles.brief}>{brief}</span>}
        </>
      }
    >
      <div className={styles.content}>
        {description && <p className={styles.description}>{description}</p>}
        {children}
      </div>
    </Disclosure>
  );
}

function afterStart(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : "";
}
